// The work-stealing deque of Chase and Lev, with the orders of Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013): its owner
// puts two things in and takes one out, a thief steals twice. Nobody gets what another one has.
//
// verdict rc11: safe, 29 executions
// verdict sc: safe, 29 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_acq_rel
#else
#define ORDER memory_order_seq_cst
#endif

#define EMPTY -1
atomic_int top, bottom, items[2];
int taken[2], stolen[2];

static void push(int item) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&items[b % 2], item, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(ORDER);
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return EMPTY;
  }
  int item = atomic_load_explicit(&items[b % 2], memory_order_relaxed);
  if (t == b) {
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
      item = EMPTY;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return item;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(ORDER);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b)
    return EMPTY;
  int item = atomic_load_explicit(&items[t % 2], memory_order_relaxed);
  if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed))
    return EMPTY;
  return item;
}

void *thief(void *argument) {
  for (int k = 0; k < 2; k++) {
    int item = steal();
    if (item != EMPTY)
      stolen[item] = 1;
  }
  return argument;
}

int main() {
  pthread_t a;
  pthread_create(&a, 0, thief, 0);
  push(0);
  push(1);
  int item = take();
  if (item != EMPTY)
    taken[item] = 1;
  pthread_join(a, 0);
  assert(taken[0] + stolen[0] <= 1);
  assert(taken[1] + stolen[1] <= 1);
}
