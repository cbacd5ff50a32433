// Szymanski's algorithm for two threads: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 29 executions

#define UNSAFE
#include "szymanski.c"
