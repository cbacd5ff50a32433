// The queue lock of Craig, Landin and Hagersten: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 2 executions

#define UNSAFE
#include "clh.c"
