// mp.c: one thread leaves a message and raises a flag, which main looks at
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int message;
atomic_int flag;

void *writer(void *argument) {
  message = 42;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return argument;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(message == 42);
  pthread_join(thread, 0);
}
