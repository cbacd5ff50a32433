// Three philosophers; if each takes the left fork first, all can wait for ever.
//
// verdict rc11: safe, 6 executions
// verdict sc: safe, 6 executions

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define COUNT 3
pthread_mutex_t fork_[COUNT];
int meals;

void *philosopher(void *argument) {
  int left = (long)argument, right = (left + 1) % COUNT;
#ifndef UNSAFE
  if (left > right) { // the last one takes them the other way round
    int swap = left;
    left = right;
    right = swap;
  }
#endif
  pthread_mutex_lock(&fork_[left]);
  pthread_mutex_lock(&fork_[right]);
  pthread_mutex_unlock(&fork_[right]);
  pthread_mutex_unlock(&fork_[left]);
  return 0;
}

int main() {
  pthread_t threads[COUNT];
  for (int i = 0; i < COUNT; i++)
    pthread_mutex_init(&fork_[i], 0);
  for (int i = 0; i < COUNT; i++)
    pthread_create(&threads[i], 0, philosopher, (void *)(long)i);
  for (int i = 0; i < COUNT; i++)
    pthread_join(threads[i], 0);
}
