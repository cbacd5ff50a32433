/* kernel/locking/qrwlock.c: writers exclude each other and readers. One CPU writes; SECOND and THIRD: w or r. */
#include <xgen/kernel_test.h>
#include <asm/qrwlock.h>
struct qrwlock lock = __ARCH_RW_LOCK_UNLOCKED;
int shared;
static void w(void) { queued_write_lock(&lock); shared++; queued_write_unlock(&lock); }
static void r(void) { queued_read_lock(&lock); int seen = shared; BUG_ON(shared != seen); queued_read_unlock(&lock); }
#ifndef SECOND
#define SECOND r
#endif
CPU(0, a) { w(); }
CPU(1, b) { SECOND(); }
#ifdef THIRD
CPU(2, c) { THIRD(); }
#endif
int main(void) {
  START(a); START(b);
#ifdef THIRD
  START(c);
#endif
}
