// The queue of Michael and Scott: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 12 executions

#define UNSAFE
#include "msqueue.c"
