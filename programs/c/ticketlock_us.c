// A ticket lock: wrong on purpose.
//
// verdict rc11: violation

#define UNSAFE
#include "ticketlock.c"
