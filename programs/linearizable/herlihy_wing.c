// The queue of Herlihy and Wing (TOPLAS 1990): a place for each value; dequeue waits where there is nothing.
// Wrong ones: -DBACKWARDS, dequeue looks at the places from the last one on; -DDROP, it loses what is in the second one;
// -DLOOKING, it looks at a place before it takes, and takes with acquire only, the mistake of GenMC's tests: that is seen
// with four enqueues and three dequeues (--client "enqueue | enqueue | enqueue | enqueue | dequeue | dequeue | dequeue").
#include <stdatomic.h>

#ifdef LOOKING
#define TAKING memory_order_acquire
#else
#define TAKING memory_order_acq_rel
#endif

static atomic_int places[10];
static atomic_int back;

void enqueue(int value) {
#ifdef LOOKING
  int mine = atomic_fetch_add_explicit(&back, 1, memory_order_release);
#else
  int mine = atomic_fetch_add_explicit(&back, 1, memory_order_acq_rel);
#endif
  atomic_store_explicit(&places[mine], value, memory_order_release);
}

int dequeue(void) {
  while (1) {
    int range = atomic_load_explicit(&back, memory_order_acquire);
    for (int k = 0; k < range; k++) {
#ifdef BACKWARDS
      int at = range - 1 - k;
#else
      int at = k;
#endif
#ifdef LOOKING
      if (!atomic_load_explicit(&places[at], memory_order_acquire)) continue;
#endif
      int value = atomic_exchange_explicit(&places[at], 0, TAKING);
#ifdef DROP
      if (at == 1) continue;
#endif
      if (value) return value;
    }
  }
}
