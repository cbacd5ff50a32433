// The queue lock of Craig, Landin and Hagersten: each thread waits for the one before it in the queue.
//
// verdict rc11: safe, 2 executions
// verdict sc: safe, 2 executions

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
  atomic_int locked;
} free_at_first, nodes[2];
_Atomic(struct node *) tail = &free_at_first;
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}

void *worker(void *argument) {
  struct node *mine = &nodes[(long)argument];
  atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
  struct node *before = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
  while (atomic_load_explicit(&before->locked, memory_order_acquire))
    ;
  critical_section();
  atomic_store_explicit(&mine->locked, 0, ORDER);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(shared == 2);
}
