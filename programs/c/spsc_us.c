// A ring for one producer and one consumer: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 9 executions

#define UNSAFE
#include "spsc.c"
