#pragma once
#include <sys/cdefs.h>
typedef struct {
  _Alignas(long) int __count;
  int : 32, : 32, : 32;
  int : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32, : sizeof(long) * 8 - 32;
} sem_t;
