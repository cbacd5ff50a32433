// The queue lock of Mellor-Crummey and Scott: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "mcs.c"
