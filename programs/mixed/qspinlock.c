// Linux' queued spinlock, from its description: a lock word whose byte `locked`, byte `pending` and halfword `tail` are
// accessed by themselves, two of them together, and all at once. The third thread that comes waits in a queue.
//
// verdict: safe, 6 executions (mixed-atomics)
// verdict sc, tso, arm8: safe, 6 executions
// verdict sc, arm8: safe, 228 executions (-D THREADS=3)
// verdict arm8: violation race (-D THREADS=3 -D WHOLE)
// verdict arm8: violation assertion (-D RELAXED)
// verdict arm8: violation race (-D THREADS=3 -D APART)

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifdef RELAXED // who waits for the byte does not acquire
#define ACQUIRE memory_order_relaxed
#else
#define ACQUIRE memory_order_acquire
#endif

struct lock {
  union {
    _Atomic uint32_t val;
    struct {
      _Atomic uint8_t locked, pending;
    };
    struct {
      _Atomic uint16_t both, tail;
    };
  };
};

enum { LOCKED = 1, LOCKED_MASK = 0xff, PENDING = 0x100, TAIL = 16 };

struct node {
  struct node *_Atomic next;
  atomic_int first;
};

struct lock lock;
struct node nodes[THREADS];
int shared;

void wait_in_queue(struct lock *l, unsigned self) {
  struct node *node = &nodes[self], *next = NULL;
  uint16_t tail = self + 1;
  uint32_t val = 0;
  atomic_store_explicit(&node->first, 0, memory_order_relaxed);
  atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
  if (atomic_compare_exchange_strong_explicit(&l->val, &val, LOCKED, memory_order_acquire, memory_order_relaxed))
    return;
  atomic_thread_fence(memory_order_release);
  uint16_t old = atomic_exchange_explicit(&l->tail, tail, memory_order_relaxed);
  if (old) {
    atomic_store_explicit(&nodes[old - 1].next, node, memory_order_relaxed);
    while (!atomic_load_explicit(&node->first, memory_order_acquire))
      ;
    next = atomic_load_explicit(&node->next, memory_order_relaxed);
  }
  while ((val = atomic_load_explicit(&l->val, memory_order_acquire)) & (LOCKED_MASK | PENDING))
    ;
  if (val >> TAIL == tail &&
      atomic_compare_exchange_strong_explicit(&l->val, &val, LOCKED, memory_order_relaxed, memory_order_relaxed))
    return;
  atomic_store_explicit(&l->locked, LOCKED, memory_order_relaxed);
  while (!next)
    next = atomic_load_explicit(&node->next, memory_order_relaxed);
  atomic_store_explicit(&next->first, 1, memory_order_release);
}

void take(struct lock *l, unsigned self) {
  uint32_t val = 0;
  if (atomic_compare_exchange_strong_explicit(&l->val, &val, LOCKED, memory_order_acquire, memory_order_relaxed))
    return;
  while (val == PENDING) // somebody is just taking over
    val = atomic_load_explicit(&l->val, memory_order_relaxed);
  if (val & ~LOCKED_MASK) {
    wait_in_queue(l, self);
    return;
  }
  val = atomic_fetch_or_explicit(&l->val, PENDING, memory_order_acquire);
  if (val & ~LOCKED_MASK) {
    if (!(val & PENDING))
      atomic_store_explicit(&l->pending, 0, memory_order_relaxed);
    wait_in_queue(l, self);
    return;
  }
  if (val & LOCKED_MASK)
    while (atomic_load_explicit(&l->locked, ACQUIRE))
      ;
#ifdef APART // pending is given up before the lock is taken
  atomic_store_explicit(&l->pending, 0, memory_order_relaxed);
  atomic_store_explicit(&l->locked, LOCKED, memory_order_relaxed);
#else
  atomic_store_explicit(&l->both, LOCKED, memory_order_relaxed);
#endif
}

void give(struct lock *l) {
#ifdef WHOLE // who waits is forgotten
  atomic_store_explicit(&l->val, 0, memory_order_release);
#else
  atomic_store_explicit(&l->locked, 0, memory_order_release);
#endif
}

void *thread(void *self) {
  take(&lock, (uintptr_t)self);
  shared++;
  give(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, thread, (void *)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  assert(shared == THREADS);
}
