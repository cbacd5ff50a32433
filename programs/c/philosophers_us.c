// Three philosophers: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "philosophers.c"
