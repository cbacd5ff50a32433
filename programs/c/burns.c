// Burns' algorithm for two threads; the second one, which gives way, tries once.
//
// verdict rc11: safe, 6 executions
// verdict sc: safe, 6 executions

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

void *first(void *argument) {
  atomic_store_explicit(&flag[0], 1, ORDER);
  while (atomic_load_explicit(&flag[1], ORDER))
    ;
  critical_section();
  atomic_store_explicit(&flag[0], 0, ORDER);
  return argument;
}

void *second(void *argument) {
  if (atomic_load_explicit(&flag[0], ORDER))
    return argument;
  atomic_store_explicit(&flag[1], 1, ORDER);
  if (!atomic_load_explicit(&flag[0], ORDER))
    critical_section();
  atomic_store_explicit(&flag[1], 0, ORDER);
  return argument;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
