/* kernel/locking/osq_lock.c. It is no lock for data by itself (it acquires by a relaxed load): only one at a time. */
#include <xgen/kernel_test.h>
#include <linux/osq_lock.h>
#ifndef N
#define N 2
#endif
struct optimistic_spin_queue lock;
atomic_t inside;
static void work(void) { if (osq_lock(&lock)) { BUG_ON(atomic_inc_return(&inside) != 1); atomic_dec_return(&inside); osq_unlock(&lock); } }
CPU(0, a) { work(); }
CPU(1, b) { work(); }
CPU(2, c) { work(); }
int main(void) { osq_lock_init(&lock); START(a); START(b);
#if N == 3
  START(c);
#endif
}
