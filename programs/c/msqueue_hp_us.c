// Michael and Scott's queue with hazard pointers: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: violation

#define UNSAFE
#include "msqueue_hp.c"
