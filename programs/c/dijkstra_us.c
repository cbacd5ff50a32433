// Dijkstra's algorithm for two threads: wrong on purpose.
//
// verdict rc11: violation
// verdict sc: safe, 58 executions

#define UNSAFE
#include "dijkstra.c"
