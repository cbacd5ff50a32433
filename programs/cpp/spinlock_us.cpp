// As spinlock.cpp, wrong on purpose: it is left by a relaxed store.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "spinlock.cpp"
