// As workers.cpp, wrong on purpose: the sum is a plain number.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "workers.cpp"
