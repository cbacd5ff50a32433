// A request is put into a list while the queue may be at rest; who wakes the queue up runs it if the list has one.
#include <xgen/kernel_test.h>

DEFINE_SPINLOCK(lock);
int resting = 1, requests, skipped, nothing;

CPU(0, insert) {
    spin_lock(&lock);
    WRITE_ONCE(requests, 1);
    spin_unlock(&lock);
#ifndef BEFORE
    smp_mb();
#endif
    if (READ_ONCE(resting))
        WRITE_ONCE(skipped, 1);
}

CPU(1, wake) {
    WRITE_ONCE(resting, 0);
    smp_mb();
    if (!READ_ONCE(requests))
        WRITE_ONCE(nothing, 1);
}

int main(void) {
    pthread_t a = START(insert), b = START(wake);
    JOIN(a);
    JOIN(b);
    BUG_ON(skipped && nothing);
}
