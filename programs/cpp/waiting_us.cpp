// As waiting.cpp, wrong on purpose: the gate is opened by a relaxed store.
//
// verdict rc11: violation

#define UNSAFE
#include "waiting.cpp"
