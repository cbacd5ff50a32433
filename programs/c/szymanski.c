// Szymanski's algorithm for two threads: 0 outside, 1 intends to enter, 2 waits, 3 in the doorway, 4 has closed the door.
//
// verdict rc11: safe, 29 executions
// verdict sc: safe, 29 executions

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

static int of(long other) { return atomic_load_explicit(&flag[other], ORDER); }

void *worker(void *argument) {
  long me = (long)argument, other = 1 - me;
  int state;
  atomic_store_explicit(&flag[me], 1, ORDER);
  while (of(other) > 2)
    ;
  atomic_store_explicit(&flag[me], 3, ORDER);
  if (of(other) == 1) {
    atomic_store_explicit(&flag[me], 2, ORDER);
    while (of(other) != 4)
      ;
  }
  atomic_store_explicit(&flag[me], 4, ORDER);
  if (me == 1)
    while (of(other) > 1)
      ;
  critical_section();
  if (me == 0)
    while ((state = of(other)) == 2 || state == 3)
      ;
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
