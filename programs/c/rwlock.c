// A lock for readers and writers in one number: -1 is a writer.
//
// verdict rc11: safe, 72 executions
// verdict sc: safe, 72 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

atomic_int state;
int data;


void *writer(void *argument) {
  int free = 0;
  while (!atomic_compare_exchange_strong_explicit(&state, &free, -1, memory_order_acquire, memory_order_relaxed))
    free = 0;
  data = 1;
  data = 2;
  atomic_store_explicit(&state, 0, ORDER);
  return argument;
}

void *reader(void *argument) {
  int readers = atomic_load_explicit(&state, memory_order_relaxed);
  if (readers >= 0 && atomic_compare_exchange_strong_explicit(&state, &readers, readers + 1, memory_order_acquire, memory_order_relaxed)) {
    assert(data != 1);
    atomic_fetch_sub_explicit(&state, 1, memory_order_release);
  }
  return argument;
}

int main() {
  pthread_t a, b, c;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_create(&c, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
