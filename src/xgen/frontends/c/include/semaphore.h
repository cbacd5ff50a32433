#pragma once
#include <sys/cdefs.h>
#include <time.h>
typedef struct {
  _Alignas(long) int __count;
  int : 32, : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} sem_t;
#define SEM_VALUE_MAX 2147483647
