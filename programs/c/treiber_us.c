// Treiber's stack: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "treiber.c"
