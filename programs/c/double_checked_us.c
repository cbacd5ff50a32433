// Double-checked locking: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "double_checked.c"
