/* What GenMC's tests use of its header, for Nidhugg: what xgen's own one has, and what xgen knows without. */
#pragma once
#include <pthread.h>
#include "../../src/xgen/frontends/c/include/genmc.h"
void __VERIFIER_assume(int);
#define __VERIFIER_assume(b) __VERIFIER_assume((b) != 0)
#define __VERIFIER_loop_begin() do { } while (0)
#define __VERIFIER_spin_start() do { } while (0)
#define __VERIFIER_spin_end(b) do { } while (0)
static inline pthread_t __VERIFIER_spawn(void *(*function)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, function, argument);
  return thread;
}
#define __VERIFIER_spawn_symmetric(function, argument, other) __VERIFIER_spawn(function, argument)
static inline void *__VERIFIER_join(pthread_t thread) {
  void *result;
  pthread_join(thread, &result);
  return result;
}
#define __VERIFIER_join_symmetric(thread) pthread_join(thread, 0)
