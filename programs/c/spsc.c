// A ring for one producer and one consumer.
//
// verdict rc11: safe, 9 executions
// verdict sc: safe, 9 executions

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
int ring[SIZE];
atomic_uint head, tail;


void *producer(void *argument) {
  for (int i = 0; i < 3; i++) {
    unsigned end = atomic_load_explicit(&tail, memory_order_relaxed);
    while (end - atomic_load_explicit(&head, memory_order_acquire) == SIZE)
      ;
    ring[end % SIZE] = i;
    atomic_store_explicit(&tail, end + 1, ORDER);
  }
  return argument;
}

void *consumer(void *argument) {
  for (int i = 0; i < 3; i++) {
    unsigned start = atomic_load_explicit(&head, memory_order_relaxed);
    while (start == atomic_load_explicit(&tail, memory_order_acquire))
      ;
    assert(ring[start % SIZE] == i);
    atomic_store_explicit(&head, start + 1, memory_order_release);
  }
  return argument;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
