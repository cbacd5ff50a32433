// A simple operation takes the lock of one semaphore, a complex one says so for all and looks whether that is taken.
#include <xgen/kernel_test.h>

DEFINE_SPINLOCK(one);
int complex_mode, simple, whole;

CPU(0, semop) {
    spin_lock(&one);
#ifndef BEFORE
    smp_mb();
#endif
    if (!READ_ONCE(complex_mode))
        WRITE_ONCE(simple, 1);
}

CPU(1, semctl) {
    WRITE_ONCE(complex_mode, 1);
    smp_mb();
    if (!spin_is_locked(&one))
        WRITE_ONCE(whole, 1);
}

int main(void) {
    pthread_t a = START(semop), b = START(semctl);
    JOIN(a);
    JOIN(b);
    BUG_ON(simple && whole);
}
