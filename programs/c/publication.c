// Publication by a pointer, as RCU does it: who reads the pointer sees what it points to.
//
// verdict rc11: safe, 2 executions
// verdict sc: safe, 2 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef UNSAFE
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

struct data { int value; };
_Atomic(struct data *) current;


void *writer(void *argument) {
  struct data *data = malloc(sizeof(struct data));
  data->value = 42;
  atomic_store_explicit(&current, data, ORDER);
  return argument;
}

void *reader(void *argument) {
  struct data *data = atomic_load_explicit(&current, memory_order_acquire);
  if (data)
    assert(data->value == 42);
  return argument;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
