// As workers.cpp, wrong on purpose: the sum is a plain number.
//
// verdict rc11: violation

#define UNSAFE
#include "workers.cpp"
