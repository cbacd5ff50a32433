// Peterson's algorithm for two threads: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 4 executions

#define UNSAFE
#include "peterson.c"
