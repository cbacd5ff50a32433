// As treiber.cpp, wrong on purpose: a node is thrown away while others may still look at it.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "treiber.cpp"
