// Dekker's algorithm for two threads, without the second try; with relaxed accesses both can enter.
//
// verdict rc11: safe, 3 executions
// verdict sc: safe, 3 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

atomic_int flag[2];
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}


void *worker(void *argument) {
  long me = (long)argument;
  atomic_store_explicit(&flag[me], 1, ORDER);
  if (!atomic_load_explicit(&flag[1 - me], ORDER))
    critical_section();
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
