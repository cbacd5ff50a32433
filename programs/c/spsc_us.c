// A ring for one producer and one consumer: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "spsc.c"
