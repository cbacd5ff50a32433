// As mpmc.cpp, wrong on purpose: a cell's turn is given on by a relaxed store.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "mpmc.cpp"
