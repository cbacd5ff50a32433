// Dijkstra's algorithm for two threads, each of which tries twice at most.
//
// verdict rc11: safe, 58 executions
// verdict sc: safe, 58 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_seq_cst
#endif

enum { OUTSIDE, WANTS, INSIDE };
atomic_int flag[2], turn;
int shared;

static void critical_section(void) {
  int before = shared;
  shared = before + 1;
}

void *worker(void *argument) {
  long me = (long)argument;
  for (int tries = 0; tries < 2; tries++) {
    atomic_store_explicit(&flag[me], WANTS, ORDER);
    if (atomic_load_explicit(&turn, ORDER) != me) {
      if (atomic_load_explicit(&flag[1 - me], ORDER) != OUTSIDE)
        continue;
      atomic_store_explicit(&turn, me, ORDER);
    }
    atomic_store_explicit(&flag[me], INSIDE, ORDER);
    if (atomic_load_explicit(&flag[1 - me], ORDER) != INSIDE) {
      critical_section();
      break;
    }
  }
  atomic_store_explicit(&flag[me], OUTSIDE, ORDER);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
