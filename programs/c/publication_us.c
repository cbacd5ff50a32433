// Publication by a pointer, as RCU does it: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "publication.c"
