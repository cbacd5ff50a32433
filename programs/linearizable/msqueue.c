// The queue of Michael and Scott (PODC 1996); nodes are not given back.
// Wrong ones: -DLINK_RELAXED, a node is linked with relaxed; -DNEXT_RELAXED, dequeue reads the link with relaxed;
// -DHEAD_STORED, dequeue stores the head whatever it is by now.
#include <stdatomic.h>
#include <stdlib.h>

#ifdef LINK_RELAXED
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif
#ifdef NEXT_RELAXED
#define NEXT memory_order_relaxed
#else
#define NEXT memory_order_acquire
#endif

struct node {
  int value;
  _Atomic(struct node *) next;
};

static _Atomic(struct node *) head, tail;

void init(void) {
  struct node *dummy = malloc(sizeof *dummy);
  atomic_init(&dummy->next, NULL);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
}

void enqueue(int value) {
  struct node *mine = malloc(sizeof *mine);
  mine->value = value;
  atomic_init(&mine->next, NULL);
  while (1) {
    struct node *last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *after = atomic_load_explicit(&last->next, memory_order_acquire);
    if (after) {  // the tail lags behind: help
      atomic_compare_exchange_strong_explicit(&tail, &last, after, memory_order_release, memory_order_relaxed);
      continue;
    }
    if (atomic_compare_exchange_strong_explicit(&last->next, &after, mine, LINK, memory_order_relaxed)) {
      atomic_compare_exchange_strong_explicit(&tail, &last, mine, memory_order_release, memory_order_relaxed);
      return;
    }
  }
}

int dequeue(void) {
  while (1) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *after = atomic_load_explicit(&first->next, NEXT);
    if (!after) return 0;
    int value = after->value;
#ifdef HEAD_STORED
    atomic_store_explicit(&head, after, memory_order_release);
    return value;
#else
    if (atomic_compare_exchange_strong_explicit(&head, &first, after, memory_order_release, memory_order_relaxed))
      return value;
#endif
  }
}
