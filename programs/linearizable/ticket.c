// A ticket lock around a counter.
// Wrong ones: -DUNLOCK_RELAXED; -DTICKET_SPLIT, a ticket is taken with a load and a store.
#include <stdatomic.h>

#ifdef UNLOCK_RELAXED
#define UNLOCKED memory_order_relaxed
#else
#define UNLOCKED memory_order_release
#endif

static atomic_uint tickets, serving;
static int count;

static void enter(void) {
#ifdef TICKET_SPLIT
  unsigned mine = atomic_load_explicit(&tickets, memory_order_relaxed);
  atomic_store_explicit(&tickets, mine + 1, memory_order_relaxed);
#else
  unsigned mine = atomic_fetch_add_explicit(&tickets, 1, memory_order_relaxed);
#endif
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
    ;
}

static void leave(void) {
  atomic_store_explicit(&serving, atomic_load_explicit(&serving, memory_order_relaxed) + 1, UNLOCKED);
}

int inc(void) {
  enter();
  int old = count;
  count = old + 1;
  leave();
  return old;
}

int get(void) {
  enter();
  int now = count;
  leave();
  return now;
}
