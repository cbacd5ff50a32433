// Treiber's stack of the places of an array, with relaxed atomics in them.
// Wrong ones: -DPUSH_RELAXED, -DPOP_RELAXED; -DREUSE, each thread keeps a place that it has popped and pushes it again
// (ABA). -DREUSE -DCOUNTED is right again: the top counts how often it was changed.
#include <stdatomic.h>

#ifdef PUSH_RELAXED
#define PUSHED memory_order_relaxed
#else
#define PUSHED memory_order_release
#endif
#ifdef POP_RELAXED
#define SEEN memory_order_relaxed
#else
#define SEEN memory_order_acquire
#endif
#ifdef COUNTED
#define CHANGED(old, new) ((((old) >> 8) + 1) << 8 | (new))
#else
#define CHANGED(old, new) (new)
#endif
#define PLACE(word) ((word) & 255u)

static struct {
  atomic_int value;
  atomic_uint below;
} places[10];
static atomic_uint top, used;
#ifdef REUSE
static _Thread_local unsigned spare;
#endif

void push(int value) {
  unsigned mine = 0;
#ifdef REUSE
  mine = spare;
  spare = 0;
#endif
  if (!mine) mine = 1 + atomic_fetch_add_explicit(&used, 1, memory_order_relaxed);
  atomic_store_explicit(&places[mine].value, value, memory_order_relaxed);
  unsigned old = atomic_load_explicit(&top, memory_order_relaxed);
  do
    atomic_store_explicit(&places[mine].below, PLACE(old), memory_order_relaxed);
  while (!atomic_compare_exchange_strong_explicit(&top, &old, CHANGED(old, mine), PUSHED, memory_order_relaxed));
}

int pop(void) {
  unsigned old = atomic_load_explicit(&top, SEEN);
  while (PLACE(old)) {
    unsigned mine = PLACE(old), below = atomic_load_explicit(&places[mine].below, memory_order_relaxed);
    if (atomic_compare_exchange_strong_explicit(&top, &old, CHANGED(old, below), memory_order_acq_rel, SEEN)) {
      int value = atomic_load_explicit(&places[mine].value, memory_order_relaxed);
#ifdef REUSE
      if (!spare) spare = mine;
#endif
      return value;
    }
  }
  return 0;
}
