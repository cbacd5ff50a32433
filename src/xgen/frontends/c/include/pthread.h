/* The functions are known to the front end by their names. An object of these types is one number, and has room for
   as many bytes as in glibc. */
#pragma once
#include <sys/cdefs.h>
#include <stddef.h>
#include <sched.h>
#include <time.h>
typedef long pthread_t;
typedef struct {
  _Alignas(long) int __detached;
  int : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} pthread_attr_t;
typedef struct {
  _Alignas(long) int __state;
  int : 32, : 32, : 32, : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} pthread_mutex_t;
typedef struct { int __kind; } pthread_mutexattr_t;
typedef struct { int __state; } pthread_spinlock_t;
typedef struct { _Alignas(long) int __state; int : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32, : 32; }
  pthread_cond_t;
typedef struct { int __kind; } pthread_condattr_t;
typedef struct {
  _Alignas(long) int __state;
  int : 32, : 32, : 32, : 32, : 32, : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} pthread_rwlock_t;
typedef struct { _Alignas(long) int __kind; int : 32; } pthread_rwlockattr_t;
typedef struct {
  _Alignas(long) int __count; int __arrived; int __before;
  int : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} pthread_barrier_t;
typedef struct { int __kind; } pthread_barrierattr_t;
typedef int pthread_once_t;
typedef int pthread_key_t;
#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP { __xgen_mutex_kind(1) }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP { __xgen_mutex_kind(2) }
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP { __xgen_mutex_kind(3) }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT 0
#define PTHREAD_MUTEX_TIMED_NP 0
#define PTHREAD_MUTEX_RECURSIVE_NP 1
#define PTHREAD_MUTEX_ERRORCHECK_NP 2
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_RWLOCK_PREFER_READER_NP 0
#define PTHREAD_RWLOCK_PREFER_WRITER_NP 1
#define PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP 2
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
