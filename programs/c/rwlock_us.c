// A lock for readers and writers in one number: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 72 executions

#define UNSAFE
#include "rwlock.c"
