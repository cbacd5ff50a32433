// Michael and Scott's queue with hazard pointers: two threads take something out, and free what nobody looks at. The wrong
// one does not look.
//
// verdict rc11: safe, 16 executions
// verdict sc: safe, 16 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int value;
  _Atomic(struct node *) next;
};
_Atomic(struct node *) head;
_Atomic(struct node *) hazards[2];

static void retire(struct node *node, long me) {
#ifndef UNSAFE
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&hazards[1 - me], memory_order_acquire) == node)
    return;  // whoever looks at it may free it later; here it is left
#endif
  free(node);
}

void *consumer(void *argument) {
  long me = (long)argument;
  struct node *first = atomic_load_explicit(&head, memory_order_acquire);
  atomic_store_explicit(&hazards[me], first, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (atomic_load_explicit(&head, memory_order_acquire) == first) {  // it is still there, so it will not be freed
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next && atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_acq_rel, memory_order_relaxed)) {
      atomic_store_explicit(&hazards[me], (struct node *)0, memory_order_release);
      retire(first, me);
      return 0;
    }
  }
  atomic_store_explicit(&hazards[me], (struct node *)0, memory_order_release);
  return 0;
}

int main() {
  pthread_t a, b;
  struct node *first = malloc(sizeof(struct node)), *second = malloc(sizeof(struct node));
  atomic_init(&first->next, second);
  atomic_init(&second->next, (struct node *)0);
  atomic_init(&head, first);
  pthread_create(&a, 0, consumer, (void *)0);
  pthread_create(&b, 0, consumer, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
