// A test-and-test-and-set lock: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 4 executions

#define UNSAFE
#include "ttas.c"
