// A ring for many producers and consumers (Vyukov's): wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 4 executions

#define UNSAFE
#include "mpmc.c"
