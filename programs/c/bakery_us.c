// Lamport's bakery for two threads: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 9 executions

#define UNSAFE
#include "bakery.c"
