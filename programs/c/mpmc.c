// A ring for many producers and consumers (Vyukov's): two threads put something in, one takes something out.
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

#define SIZE 2
struct cell {
  atomic_uint turn;
  int value;
} cells[SIZE];
atomic_uint head, tail;

static int push(int value) {
  for (;;) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    struct cell *cell = &cells[at % SIZE];
    int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - at);
    if (ahead < 0)
      return 0;
    if (ahead == 0 && atomic_compare_exchange_strong_explicit(&tail, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) {
      cell->value = value;
      atomic_store_explicit(&cell->turn, at + 1, ORDER);
      return 1;
    }
  }
}

static int pop(int *value) {
  for (;;) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    struct cell *cell = &cells[at % SIZE];
    int ahead = (int)(atomic_load_explicit(&cell->turn, memory_order_acquire) - (at + 1));
    if (ahead < 0)
      return 0;
    if (ahead == 0 && atomic_compare_exchange_strong_explicit(&head, &at, at + 1, memory_order_relaxed, memory_order_relaxed)) {
      *value = cell->value;
      atomic_store_explicit(&cell->turn, at + SIZE, memory_order_release);
      return 1;
    }
  }
}

void *producer(void *argument) {
  int done = push((long)argument);
  assert(done);
  return 0;
}

void *consumer(void *argument) {
  int value;
  if (pop(&value))
    assert(value == 1 || value == 2);
  return argument;
}

int main() {
  pthread_t a, b, c;
  for (unsigned k = 0; k < SIZE; k++)
    atomic_init(&cells[k].turn, k);
  pthread_create(&a, 0, producer, (void *)1);
  pthread_create(&b, 0, producer, (void *)2);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
