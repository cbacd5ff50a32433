// A sequence lock: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "seqlock.c"
