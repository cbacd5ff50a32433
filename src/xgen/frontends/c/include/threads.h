/* C11's threads; as in pthread.h. */
#pragma once
#include <stddef.h>
#include <time.h>
#define thread_local _Thread_local
typedef long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef struct {
  _Alignas(long) int __state;
  int : 32, : 32, : 32, : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} mtx_t;
typedef struct { _Alignas(long) int __state; int : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32; }
  cnd_t;
typedef int once_flag;
typedef int tss_t;
typedef void (*tss_dtor_t)(void *);
#define TSS_DTOR_ITERATIONS 4
#define ONCE_FLAG_INIT 0
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
