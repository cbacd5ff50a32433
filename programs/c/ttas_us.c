// A test-and-test-and-set lock. Taking it has to acquire: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "ttas.c"
