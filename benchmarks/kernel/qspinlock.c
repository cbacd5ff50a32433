/* kernel/locking/qspinlock.c: mutual exclusion and hand-over of plain data */
#include <xgen/kernel_test.h>
#include <asm/qspinlock.h>
#ifndef N
#define N 2
#endif
struct qspinlock lock = __ARCH_SPIN_LOCK_UNLOCKED;
int shared;
static void work(void) { queued_spin_lock(&lock); shared++; queued_spin_unlock(&lock); }
CPU(0, a) { work(); }
CPU(1, b) { work(); }
CPU(2, c) { work(); }
int main(void) {
  pthread_t t1 = START(a), t2 = START(b);
#if N == 3
  pthread_t t3 = START(c); JOIN(t3);
#endif
  JOIN(t1); JOIN(t2); BUG_ON(shared != N); }
