// Burns' algorithm for two threads: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 6 executions

#define UNSAFE
#include "burns.c"
