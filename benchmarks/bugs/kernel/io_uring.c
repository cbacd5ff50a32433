// A thread that is about to stop says so and looks for work; who brings work looks whether the thread has stopped.
#include <xgen/kernel_test.h>

atomic_t left = ATOMIC_INIT(1);
int list, added, nothing;

CPU(0, submit) {
    WRITE_ONCE(list, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (atomic_read(&left))
        WRITE_ONCE(added, 1);
}

CPU(1, worker) {
    atomic_dec_return(&left);
    if (!READ_ONCE(list))
        WRITE_ONCE(nothing, 1);
}

int main(void) {
    pthread_t a = START(submit), b = START(worker);
    JOIN(a);
    JOIN(b);
    BUG_ON(added && nothing);
}
