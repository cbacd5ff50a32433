// The work-stealing deque of Chase and Lev: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 29 executions

#define UNSAFE
#include "chaselev.c"
