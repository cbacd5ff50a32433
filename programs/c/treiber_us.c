// Treiber's stack: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 20 executions

#define UNSAFE
#include "treiber.c"
