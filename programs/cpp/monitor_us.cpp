// As monitor.cpp, wrong on purpose: who puts does not lock the mutex.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "monitor.cpp"
