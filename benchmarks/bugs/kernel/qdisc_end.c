// Who has emptied a queue gives it back and looks whether somebody came meanwhile; who comes says so and looks whether
// the queue is taken.
#include <xgen/kernel_test.h>

unsigned long missed;
int taken = 1, leaves, ends;

CPU(0, end) {
    smp_store_release(&taken, 0);
#ifndef BEFORE
    smp_mb();
#endif
    if (!test_bit(0, &missed))
        WRITE_ONCE(ends, 1);
}

CPU(1, begin) {
    set_bit(0, &missed);
    smp_mb__after_atomic();
    if (READ_ONCE(taken))
        WRITE_ONCE(leaves, 1);
}

int main(void) {
    pthread_t a = START(end), b = START(begin);
    JOIN(a);
    JOIN(b);
    BUG_ON(leaves && ends);
}
