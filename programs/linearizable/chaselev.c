// The work-stealing deque of Chase and Lev in C11 (Le, Pop, Cohen, Zappa Nardelli, PPoPP 2013), of four places.
// The owner pushes and takes: --one push,take. A steal that loses returns -1: --busy -1. --max-puts 4.
// Wrong ones: -DFENCES_ACQ_REL; -DNO_RELEASE, push has no fence; -DLAST_STORED, the last value is taken without a CAS.
#include <stdatomic.h>

#ifdef FENCES_ACQ_REL
#define FULL_FENCE memory_order_acq_rel
#else
#define FULL_FENCE memory_order_seq_cst
#endif

static atomic_int top, bottom, places[4];

void push(int value) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&places[b % 4], value, memory_order_relaxed);
#ifndef NO_RELEASE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(FULL_FENCE);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return 0;
  }
  int value = atomic_load_explicit(&places[b % 4], memory_order_relaxed);
  if (t < b) return value;
#ifdef LAST_STORED
  atomic_store_explicit(&top, t + 1, memory_order_relaxed);
#else
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) value = 0;
#endif
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return value;
}

int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(FULL_FENCE);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return 0;
  int value = atomic_load_explicit(&places[t % 4], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) return -1;
  return value;
}
