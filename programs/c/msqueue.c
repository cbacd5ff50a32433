// The queue of Michael and Scott: two threads put something in, one takes something out. Nothing is given back.
//
// verdict rc11: safe, 12 executions
// verdict sc: safe, 12 executions

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
  _Atomic(struct node *) next;
};
_Atomic(struct node *) head, tail;

static void enqueue(int value) {
  struct node *node = malloc(sizeof(struct node)), *last;
  node->value = value;
  atomic_init(&node->next, (struct node *)0);
  for (;;) {
    last = atomic_load_explicit(&tail, memory_order_acquire);
    struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
    if (next) {  // help
      atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
    } else if (atomic_compare_exchange_strong_explicit(&last->next, &next, node, ORDER, memory_order_relaxed)) {
      break;
    }
  }
  atomic_compare_exchange_strong_explicit(&tail, &last, node, memory_order_release, memory_order_relaxed);
}

static int dequeue(void) {
  for (;;) {
    struct node *first = atomic_load_explicit(&head, memory_order_acquire);
    struct node *next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (!next)
      return 0;
    int value = next->value;
    if (atomic_compare_exchange_strong_explicit(&head, &first, next, memory_order_release, memory_order_relaxed))
      return value;
  }
}

void *producer(void *argument) {
  enqueue((long)argument);
  return 0;
}

void *consumer(void *argument) {
  int value = dequeue();
  assert(value == 0 || value == 1 || value == 2);
  return argument;
}

int main() {
  pthread_t a, b, c;
  struct node *dummy = malloc(sizeof(struct node));
  atomic_init(&dummy->next, (struct node *)0);
  atomic_init(&head, dummy);
  atomic_init(&tail, dummy);
  pthread_create(&a, 0, producer, (void *)1);
  pthread_create(&b, 0, producer, (void *)2);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
