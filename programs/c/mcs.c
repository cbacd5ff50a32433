// The queue lock of Mellor-Crummey and Scott: each thread waits at a place of its own.
//
// verdict rc11: safe, 4 executions
// verdict sc: safe, 4 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

struct node {
  _Atomic(struct node *) next;
  atomic_int waiting;
} nodes[2];
_Atomic(struct node *) tail;
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}


void *worker(void *argument) {
  struct node *mine = &nodes[(long)argument];
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  if (before) {
    atomic_store_explicit(&mine->waiting, 1, memory_order_relaxed);
    atomic_store_explicit(&before->next, mine, memory_order_release);
    while (atomic_load_explicit(&mine->waiting, memory_order_acquire))
      ;
  }
  critical_section();
  struct node *expected = mine;
  if (!atomic_compare_exchange_strong_explicit(&tail, &expected, (struct node *)0, memory_order_acq_rel, memory_order_relaxed)) {
    struct node *after;
    while (!(after = atomic_load_explicit(&mine->next, memory_order_acquire)))
      ;
    atomic_store_explicit(&after->waiting, 0, ORDER);
  }
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
