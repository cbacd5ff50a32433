// As spsc.cpp, wrong on purpose: what is pushed is handed over by a relaxed store.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "spsc.cpp"
