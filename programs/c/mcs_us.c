// The queue lock of Mellor-Crummey and Scott: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 4 executions

#define UNSAFE
#include "mcs.c"
