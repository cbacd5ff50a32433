// A poller puts itself on a list and looks at the queue; who receives fills the queue and looks at the list.
#include <xgen/kernel_test.h>

int listed, received, sleeps, woken;

CPU(0, poll) {
    WRITE_ONCE(listed, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (!READ_ONCE(received))
        WRITE_ONCE(sleeps, 1);
}

CPU(1, receive) {
    WRITE_ONCE(received, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (READ_ONCE(listed))
        WRITE_ONCE(woken, 1);
}

int main(void) {
    pthread_t a = START(poll), b = START(receive);
    JOIN(a);
    JOIN(b);
    BUG_ON(sleeps && !woken);
}
