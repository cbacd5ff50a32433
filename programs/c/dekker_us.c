// Dekker's algorithm for two threads, without the second try: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "dekker.c"
