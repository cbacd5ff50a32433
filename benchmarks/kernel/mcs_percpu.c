/* A queued lock without a file of the kernel, each CPU with the node of its number: N CPUs */
#include <xgen/kernel_test.h>
#ifndef N
#define N 2
#endif
struct mcs { struct mcs *next; int locked; };
DEFINE_PER_CPU(struct mcs, node);
struct mcs *tail;
int shared;
static void work(void) {
  struct mcs *own = this_cpu_ptr(&node), *prev, *next;
  own->locked = 0;
  own->next = NULL;
  prev = xchg(&tail, own);
  if (prev) { WRITE_ONCE(prev->next, own); smp_cond_load_acquire(&own->locked, VAL); }
  shared++;
  next = READ_ONCE(own->next);
  if (!next) {
    if (cmpxchg_release(&tail, own, NULL) == own) return;
    next = smp_cond_load_relaxed(&own->next, VAL); }
  smp_store_release(&next->locked, 1); }
CPU(0, a) { work(); }
CPU(1, b) { work(); }
CPU(2, c) { if (N == 3) work(); }
int main(void) {
  pthread_t t1 = START(a), t2 = START(b), t3 = START(c);
  JOIN(t1); JOIN(t2); JOIN(t3);
  BUG_ON(shared != N); }
