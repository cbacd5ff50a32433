// A task is woken that has been woken before and goes to sleep again: who sees its new state sees that it is queued.
#include <xgen/kernel_test.h>

int queued, state, taken_for_off;

CPU(0, task) {
    smp_store_release(&queued, 1);
    smp_mb();
    WRITE_ONCE(state, 1);
}

CPU(1, waker) {
    if (READ_ONCE(state)) {
#ifndef BEFORE
        smp_rmb();
#endif
        if (!READ_ONCE(queued))
            WRITE_ONCE(taken_for_off, 1);
    }
}

int main(void) {
    pthread_t a = START(task), b = START(waker);
    JOIN(a);
    JOIN(b);
    BUG_ON(taken_for_off);
}
