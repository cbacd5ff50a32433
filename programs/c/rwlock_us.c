// A lock for readers and writers in one number: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "rwlock.c"
