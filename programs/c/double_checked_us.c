// Double-checked locking: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 4 executions

#define UNSAFE
#include "double_checked.c"
