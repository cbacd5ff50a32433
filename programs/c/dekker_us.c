// Dekker's algorithm for two threads: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 3 executions

#define UNSAFE
#include "dekker.c"
