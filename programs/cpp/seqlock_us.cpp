// As seqlock.cpp, wrong on purpose: no fence keeps what is written behind the odd number.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "seqlock.cpp"
