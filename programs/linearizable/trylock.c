// A lock that is tried once. A wrong one: -DSPLIT, a load and a store.
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int taken;

bool trylock(void) {
#ifdef SPLIT
  if (atomic_load_explicit(&taken, memory_order_acquire)) return false;
  atomic_store_explicit(&taken, 1, memory_order_relaxed);
  return true;
#else
  int no = 0;
  return atomic_compare_exchange_strong_explicit(&taken, &no, 1, memory_order_acquire, memory_order_relaxed);
#endif
}
