// A stack whose top is a pointer and a tag that counts, compared and exchanged as one: who takes a node finds out that
// others have taken it and given it back meanwhile (ABA). Threads try again until they succeed.
//
// verdict: safe, 42 executions (mixed-atomics)
// verdict sc: safe, 39 executions
// verdict arm8: safe, 46 executions
// verdict sc, arm8: violation assertion (-D ALONE)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct node {
  struct node *_Atomic next;
  _Atomic int taken;
};

union top {
  struct {
    struct node *pointer;
    uint64_t tag;
  };
  struct node *_Atomic alone;
};

struct node nodes[2] = {{&nodes[1]}};
_Alignas(16) union top stack = {{&nodes[0]}};

int change(union top *old, union top *new, memory_order order) {
#ifdef ALONE // the tag does not count
  return atomic_compare_exchange_strong_explicit(&stack.alone, &old->pointer, new->pointer, order, memory_order_acquire);
#else
  return __atomic_compare_exchange(&stack, old, new, 0, order, memory_order_acquire);
#endif
}

void push(struct node *node) {
  union top old, new;
  __atomic_load(&stack, &old, memory_order_relaxed);
  do {
    atomic_store_explicit(&node->next, old.pointer, memory_order_relaxed);
    new.pointer = node;
    new.tag = old.tag;
  } while (!change(&old, &new, memory_order_release));
}

struct node *pop(void) {
  union top old, new;
  __atomic_load(&stack, &old, memory_order_acquire);
  do {
    if (!old.pointer)
      return NULL;
    new.pointer = atomic_load_explicit(&old.pointer->next, memory_order_relaxed);
    new.tag = old.tag + 1;
  } while (!change(&old, &new, memory_order_acquire));
  return old.pointer;
}

void take(struct node *node) {
  if (node)
    assert(atomic_exchange_explicit(&node->taken, 1, memory_order_relaxed) == 0);
}

void *thread(void *argument) {
  struct node *first = pop(), *second = pop();
  take(second);
  if (first)
    push(first);
  return argument;
}

int main() {
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  take(pop());
  take(pop());
  pthread_join(other, NULL);
}
