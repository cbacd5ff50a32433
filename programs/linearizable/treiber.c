// Treiber's stack (1986); nodes are not given back.
// Wrong ones: -DPUSH_RELAXED, -DPOP_RELAXED; -DPUSH_STORED, push stores the top whatever it is by now.
#include <stdatomic.h>
#include <stdlib.h>

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

struct node {
  int value;
  struct node *below;
};

static _Atomic(struct node *) top;

void push(int value) {
  struct node *mine = malloc(sizeof *mine);
  mine->value = value;
  mine->below = atomic_load_explicit(&top, memory_order_relaxed);
#ifdef PUSH_STORED
  atomic_store_explicit(&top, mine, PUSHED);
#else
  while (!atomic_compare_exchange_strong_explicit(&top, &mine->below, mine, PUSHED, memory_order_relaxed))
    ;
#endif
}

int pop(void) {
  struct node *first = atomic_load_explicit(&top, SEEN);
  while (first && !atomic_compare_exchange_strong_explicit(&top, &first, first->below, SEEN, SEEN))
    ;
  return first ? first->value : 0;
}
