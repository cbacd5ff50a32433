// The queue of Herlihy and Wing (TOPLAS 1990): a place for each value; dequeue waits where there is nothing.
// Wrong ones: -DBACKWARDS, dequeue looks at the places from the last one on; -DDROP, it loses what is in the second one.
#include <stdatomic.h>

static atomic_int places[10];
static atomic_int back;

void enqueue(int value) {
  int mine = atomic_fetch_add_explicit(&back, 1, memory_order_acq_rel);
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
      int value = atomic_exchange_explicit(&places[at], 0, memory_order_acquire);
#ifdef DROP
      if (at == 1) continue;
#endif
      if (value) return value;
    }
  }
}
