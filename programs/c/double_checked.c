// Double-checked locking: the mutex is taken only until the object is there.
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
#define ORDER memory_order_acquire
#endif

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int object;
atomic_int ready;


void *worker(void *argument) {
  if (!atomic_load_explicit(&ready, ORDER)) {
    pthread_mutex_lock(&mutex);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      object = 42;
      atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
  }
  assert(object == 42);
  return argument;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
