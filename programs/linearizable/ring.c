// A ring of two places (Lamport 1977), for one thread that pushes and one that pops: --one push --one pop.
// Wrong ones: -DLATE, it is full one value too late; -DEARLY, the index before the value; -DTAIL_RELAXED, -DHEAD_RELAXED.
#include <stdatomic.h>
#include <stdbool.h>

#define SIZE 2
#ifdef LATE
#define FULL (SIZE + 1)
#else
#define FULL SIZE
#endif
#ifdef TAIL_RELAXED
#define PUSHED memory_order_relaxed
#else
#define PUSHED memory_order_release
#endif
#ifdef HEAD_RELAXED
#define POPPED memory_order_relaxed
#else
#define POPPED memory_order_release
#endif

static int places[SIZE];
static atomic_uint head, tail;

bool push(int value) {
  unsigned last = atomic_load_explicit(&tail, memory_order_relaxed);
  if (last - atomic_load_explicit(&head, memory_order_acquire) == FULL) return false;
#ifdef EARLY
  atomic_store_explicit(&tail, last + 1, PUSHED);
  places[last % SIZE] = value;
#else
  places[last % SIZE] = value;
  atomic_store_explicit(&tail, last + 1, PUSHED);
#endif
  return true;
}

bool pop(int *value) {
  unsigned first = atomic_load_explicit(&head, memory_order_relaxed);
  if (atomic_load_explicit(&tail, memory_order_acquire) == first) return false;
  *value = places[first % SIZE];
  atomic_store_explicit(&head, first + 1, POPPED);
  return true;
}
