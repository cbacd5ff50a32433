// Peterson's algorithm for two threads: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "peterson.c"
