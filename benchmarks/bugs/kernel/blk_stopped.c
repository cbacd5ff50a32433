// A request is put into a queue that may be stopped; who starts the queue runs it if there is one.
#include <xgen/kernel_test.h>

unsigned long stopped = 1;
int requests, skipped, nothing;

CPU(0, submit) {
    WRITE_ONCE(requests, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (test_bit(0, &stopped))
        WRITE_ONCE(skipped, 1);
}

CPU(1, start) {
    clear_bit(0, &stopped);
#ifdef BEFORE
    barrier();
#else
    smp_mb__after_atomic();
#endif
    if (!READ_ONCE(requests))
        WRITE_ONCE(nothing, 1);
}

int main(void) {
    pthread_t a = START(submit), b = START(start);
    JOIN(a);
    JOIN(b);
    BUG_ON(skipped && nothing);
}
