// As chaselev.cpp, wrong on purpose: its fences are acq_rel, and an item is taken twice.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "chaselev.cpp"
