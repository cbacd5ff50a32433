// As publication.cpp, wrong on purpose: what was published is read by a relaxed load.
//
// verdict rc11-c20: violation

#define UNSAFE
#include "publication.cpp"
