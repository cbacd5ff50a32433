// A task that is off its queue may still be on its CPU: who wakes it up waits until it is not.
#include <xgen/kernel_test.h>

int on_queue = 1, on_cpu, moved;

CPU(0, schedule_out) {
    WRITE_ONCE(on_cpu, 1);
    smp_store_release(&on_queue, 0);
}

CPU(1, waker) {
    if (!READ_ONCE(on_queue)) {
#ifndef BEFORE
        smp_rmb();
#endif
        if (!READ_ONCE(on_cpu))
            WRITE_ONCE(moved, 1);
    }
}

int main(void) {
    pthread_t a = START(schedule_out), b = START(waker);
    JOIN(a);
    JOIN(b);
    BUG_ON(moved);
}
