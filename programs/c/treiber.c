// Treiber's stack: two threads push, a third one pops.
//
// verdict rc11: safe, 20 executions
// verdict sc: safe, 20 executions

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
  int value;
  struct node *next;
};
_Atomic(struct node *) top;


void *push(void *argument) {
  struct node *node = malloc(sizeof(struct node));
  node->value = (long)argument + 1;
  struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
  do {
    node->next = old;
  } while (!atomic_compare_exchange_strong_explicit(&top, &old, node, ORDER, memory_order_relaxed));
  return 0;
}

void *pop(void *argument) {
  struct node *old = atomic_load_explicit(&top, memory_order_acquire);
  if (old && atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acquire, memory_order_acquire))
    assert(old->value == 1 || old->value == 2);
  return argument;
}

int main() {
  pthread_t a, b, c;
  pthread_create(&a, 0, push, (void *)0);
  pthread_create(&b, 0, push, (void *)1);
  pthread_create(&c, 0, pop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
