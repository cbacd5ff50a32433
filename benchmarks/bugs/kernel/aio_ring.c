// What completes writes an event and then how many there are; who waits for events reads how many, and then the event.
#include <xgen/kernel_test.h>

int event, tail, seen = 7;

CPU(0, finish) {
    WRITE_ONCE(event, 7);
    smp_wmb();
    WRITE_ONCE(tail, 1);
}

CPU(1, getevents) {
    int last = READ_ONCE(tail);
#ifndef BEFORE
    smp_rmb();
#endif
    if (last)
        WRITE_ONCE(seen, READ_ONCE(event));
}

int main(void) {
    pthread_t a = START(finish), b = START(getevents);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 7);
}
