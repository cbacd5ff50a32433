/* kernel/locking/mcs_spinlock.h: mutual exclusion and hand-over of plain data */
#include <xgen/kernel_test.h>
#include "mcs_spinlock.h"
#ifndef N
#define N 3
#endif
struct mcs_spinlock *lock, node[3];
int shared;
static void work(void) { struct mcs_spinlock *n = &node[smp_processor_id()]; mcs_spin_lock(&lock, n); shared++; mcs_spin_unlock(&lock, n); }
CPU(0, a) { work(); }
CPU(1, b) { work(); }
CPU(2, c) { work(); }
int main(void) {
  pthread_t t1 = START(a), t2 = START(b);
#if N == 3
  pthread_t t3 = START(c); JOIN(t3);
#endif
  JOIN(t1); JOIN(t2); BUG_ON(shared != N); }
