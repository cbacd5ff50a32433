// A task says that it sleeps and asks for signals, who sends one looks whether it sleeps.
#include <xgen/kernel_test.h>

DEFINE_SPINLOCK(queue);
int state, pending, sleeps, woken;

CPU(0, task) {
    WRITE_ONCE(state, 1);
#ifndef BEFORE
    smp_mb();
#endif
    spin_lock(&queue);
    if (!READ_ONCE(pending))
        WRITE_ONCE(sleeps, 1);
    spin_unlock(&queue);
}

CPU(1, sender) {
    WRITE_ONCE(pending, 1);
    smp_mb();
    if (READ_ONCE(state))
        WRITE_ONCE(woken, 1);
}

int main(void) {
    pthread_t a = START(task), b = START(sender);
    JOIN(a);
    JOIN(b);
    BUG_ON(sleeps && !woken);
}
