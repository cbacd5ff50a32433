// A ticket lock: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 2 executions

#define UNSAFE
#include "ticketlock.c"
