// Lamport's bakery for two threads.
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
#define ORDER memory_order_seq_cst
#endif

atomic_int choosing[2], number[2];
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}


void *worker(void *argument) {
  long me = (long)argument, other = 1 - me;
  atomic_store_explicit(&choosing[me], 1, ORDER);
  int mine = atomic_load_explicit(&number[other], ORDER) + 1;
  atomic_store_explicit(&number[me], mine, ORDER);
  atomic_store_explicit(&choosing[me], 0, ORDER);
  while (atomic_load_explicit(&choosing[other], ORDER))
    ;
  for (;;) {
    int theirs = atomic_load_explicit(&number[other], ORDER);
    if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
      break;
  }
  critical_section();
  atomic_store_explicit(&number[me], 0, ORDER);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
