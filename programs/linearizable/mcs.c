// The lock of Mellor-Crummey and Scott (1991) around a counter.
// Wrong ones: -DHANDED_RELAXED, the lock is handed on with relaxed; -DHASTY, it is left without waiting for the one that
// is about to stand in line: that one waits for ever, or writes to a thread's own memory when the thread has ended.
#include <stdatomic.h>
#include <stddef.h>

#ifdef HANDED_RELAXED
#define HANDED memory_order_relaxed
#else
#define HANDED memory_order_release
#endif

struct waiter {
  _Atomic(struct waiter *) next;
  atomic_int waits;
};

static _Thread_local struct waiter mine;
static _Atomic(struct waiter *) last;
static int count;

int inc(void) {
  atomic_init(&mine.next, NULL);
  atomic_init(&mine.waits, 1);
  struct waiter *before = atomic_exchange_explicit(&last, &mine, memory_order_acq_rel);
  if (before) {
    atomic_store_explicit(&before->next, &mine, memory_order_release);
    while (atomic_load_explicit(&mine.waits, memory_order_acquire))
      ;
  }
  int old = count;
  count = old + 1;
  struct waiter *next = atomic_load_explicit(&mine.next, memory_order_acquire);
  if (!next) {
    struct waiter *me = &mine;
    if (atomic_compare_exchange_strong_explicit(&last, &me, NULL, memory_order_release, memory_order_relaxed)) return old;
#ifdef HASTY
    return old;
#endif
    while (!(next = atomic_load_explicit(&mine.next, memory_order_acquire)))
      ;
  }
  atomic_store_explicit(&next->waits, 0, HANDED);
  return old;
}
