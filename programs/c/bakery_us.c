// Lamport's bakery for two threads: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "bakery.c"
