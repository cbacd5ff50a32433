// A test-and-test-and-set lock. Taking it has to acquire.
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

atomic_int taken;
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}


void *worker(void *argument) {
  do {
    while (atomic_load_explicit(&taken, memory_order_relaxed))
      ;
  } while (atomic_exchange_explicit(&taken, 1, ORDER));
  critical_section();
  atomic_store_explicit(&taken, 0, memory_order_release);
  return argument;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
