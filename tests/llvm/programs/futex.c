/* A mutex made of a futex (Drepper, Futexes Are Tricky, 2011). */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int mutex;
static int counter;

static void lock(void) {
  int seen = 0;
  if (atomic_compare_exchange_strong(&mutex, &seen, 1)) return;
  if (seen != 2) seen = atomic_exchange(&mutex, 2);
  while (seen != 0) {
    syscall(SYS_futex, &mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    seen = atomic_exchange(&mutex, 2);
  }
}

static void unlock(void) {
  if (atomic_exchange(&mutex, 0) == 2) syscall(SYS_futex, &mutex, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *thread(void *unused) {
  lock();
  counter++;
  unlock();
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  thread(NULL);
  pthread_join(t, NULL);
  assert(counter == 2);
  return 0;
}
