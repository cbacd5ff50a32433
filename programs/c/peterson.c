// Peterson's algorithm for two threads; with less than seq_cst accesses both can enter.
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
#define ORDER memory_order_seq_cst
#endif

atomic_int flag[2], turn;
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}


void *worker(void *argument) {
  long me = (long)argument;
  atomic_store_explicit(&flag[me], 1, ORDER);
  atomic_store_explicit(&turn, 1 - me, ORDER);
  while (atomic_load_explicit(&flag[1 - me], ORDER) && atomic_load_explicit(&turn, ORDER) == 1 - me)
    ;
  critical_section();
  atomic_store_explicit(&flag[me], 0, ORDER);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
