// A counter. A wrong one: -DSPLIT, a load and a store.
#include <stdatomic.h>

static atomic_int count;

int inc(void) {
#ifdef SPLIT
  int old = atomic_load(&count);
  atomic_store(&count, old + 1);
  return old;
#else
  return atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel);
#endif
}

int get(void) { return atomic_load_explicit(&count, memory_order_acquire); }
