/* include/linux/bit_spinlock.h: mutual exclusion and hand-over of plain data, beside other bits of the word */
#include <xgen/kernel_test.h>
#include <linux/bit_spinlock.h>
unsigned long word = 1UL << 3;
int shared;
static void work(void) { bit_spin_lock(0, &word); shared++; bit_spin_unlock(0, &word); }
CPU(0, a) { work(); }
CPU(1, b) { work(); }
CPU(2, c) { set_bit(5, &word); }
int main(void) {
  pthread_t t1 = START(a), t2 = START(b), t3 = START(c);
  JOIN(t1); JOIN(t2); JOIN(t3);
  BUG_ON(shared != 2); BUG_ON(word != (1UL << 3 | 1UL << 5)); }
