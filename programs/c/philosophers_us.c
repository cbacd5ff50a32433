// Three philosophers: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: violation

#define UNSAFE
#include "philosophers.c"
