// Linux' lockref, from its description: a lock and a counter in one word. Whoever finds the lock free counts with one
// compare-exchange of the whole word; else with the lock. One thread holds it meanwhile and closes the counter.
//
// verdict: safe, 10 executions (mixed-atomics)
// verdict sc, tso: safe, 7 executions
// verdict arm8: safe, 9 executions
// verdict arm8: violation assertion (-D ALONE)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

union lockref {
  _Atomic uint64_t word;
  struct {
    _Atomic uint32_t lock;
    _Atomic uint32_t count;
  };
};

union lockref ref;
int counted, closed;

void lock(union lockref *r) {
  uint32_t free = 0;
  while (!atomic_compare_exchange_strong_explicit(&r->lock, &free, 1, memory_order_acquire, memory_order_relaxed))
    free = 0;
}

void unlock(union lockref *r) { atomic_store_explicit(&r->lock, 0, memory_order_release); }

// Whether it could count; nobody counts any more once it is closed.
int get(union lockref *r) {
#ifdef ALONE // the compare-exchange does not see the lock
  uint32_t count = atomic_load_explicit(&r->count, memory_order_relaxed);
  if (count < 100 && atomic_compare_exchange_strong_explicit(&r->count, &count, count + 1, memory_order_acq_rel,
                                                             memory_order_relaxed))
    return 1;
#else
  uint64_t word = atomic_load_explicit(&r->word, memory_order_relaxed);
  if ((uint32_t)word == 0 && word >> 32 < 100 &&
      atomic_compare_exchange_strong_explicit(&r->word, &word, word + ((uint64_t)1 << 32), memory_order_acq_rel,
                                              memory_order_relaxed))
    return 1;
#endif
  int found = 0;
  lock(r);
  uint32_t now = atomic_load_explicit(&r->count, memory_order_relaxed);
  if (now < 100) {
    atomic_store_explicit(&r->count, now + 1, memory_order_relaxed);
    found = 1;
  }
  unlock(r);
  return found;
}

void *counts(void *argument) {
  counted = get(&ref);
  return argument;
}

void *closes(void *argument) {
  lock(&ref);
  if (atomic_load_explicit(&ref.count, memory_order_relaxed) == 0) {
    closed = 1;
    atomic_store_explicit(&ref.count, 100, memory_order_relaxed);
  }
  unlock(&ref);
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, counts, 0);
  pthread_create(&second, 0, closes, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(!(counted && closed));
}
