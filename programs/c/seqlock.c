// A sequence lock: who reads while the number changes reads again.
//
// verdict rc11: safe, 18 executions
// verdict sc: safe, 18 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_acquire
#endif

atomic_uint number;
atomic_int x, y;


void *writer(void *argument) {
  unsigned n = atomic_load_explicit(&number, memory_order_relaxed);
  atomic_store_explicit(&number, n + 1, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&number, n + 2, memory_order_release);
  return argument;
}

void *reader(void *argument) {
  unsigned before = atomic_load_explicit(&number, memory_order_acquire);
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  int b = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(ORDER);
  unsigned after = atomic_load_explicit(&number, memory_order_relaxed);
  if (before == after && before % 2 == 0)
    assert(a == b);
  return argument;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
