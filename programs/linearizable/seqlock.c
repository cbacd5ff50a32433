// A sequence lock around two words, with the fences of Boehm (MSPC 2012), as a register: --one write, for writers take
// turns. Wrong ones: -DNO_RELEASE and -DNO_ACQUIRE, without one of the fences; -DNO_CHECK, a read does not look twice.
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int low, high;

void write(int value) {
  unsigned now = atomic_load_explicit(&sequence, memory_order_relaxed);
  atomic_store_explicit(&sequence, now + 1, memory_order_relaxed);
#ifndef NO_RELEASE
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&low, value, memory_order_relaxed);
  atomic_store_explicit(&high, value, memory_order_relaxed);
  atomic_store_explicit(&sequence, now + 2, memory_order_release);
}

int read(void) {
  while (1) {
    unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
    int first = atomic_load_explicit(&low, memory_order_relaxed);
    int second = atomic_load_explicit(&high, memory_order_relaxed);
#ifndef NO_ACQUIRE
    atomic_thread_fence(memory_order_acquire);
#endif
#ifndef NO_CHECK
    if (before % 2 || before != atomic_load_explicit(&sequence, memory_order_relaxed)) continue;
#endif
    return first == second ? first : 99;
  }
}
