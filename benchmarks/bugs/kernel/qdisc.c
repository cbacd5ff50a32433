// A packet is put into a queue that another one empties: that one sees it, or sees that it is to look again.
#include <xgen/kernel_test.h>

unsigned long missed = 1;
int packet, marked, empty;

CPU(0, sender) {
    WRITE_ONCE(packet, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (test_bit(0, &missed))
        WRITE_ONCE(marked, 1);
}

CPU(1, emptier) {
    clear_bit(0, &missed);
#ifndef BEFORE
    smp_mb__after_atomic();
#endif
    if (!READ_ONCE(packet))
        WRITE_ONCE(empty, 1);
}

int main(void) {
    pthread_t a = START(sender), b = START(emptier);
    JOIN(a);
    JOIN(b);
    BUG_ON(marked && empty);
}
