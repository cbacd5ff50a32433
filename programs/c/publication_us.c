// Publication by a pointer: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 2 executions

#define UNSAFE
#include "publication.c"
