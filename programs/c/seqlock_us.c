// A sequence lock: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 18 executions

#define UNSAFE
#include "seqlock.c"
