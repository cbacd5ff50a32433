// As spinlock.cpp, wrong on purpose: it is left by a relaxed store.
//
// verdict rc11: violation

#define UNSAFE
#include "spinlock.cpp"
