// Work is queued while it is run: who queues finds it pending, and then it sees what it is about, or queues it again.
#include <xgen/kernel_test.h>

unsigned long pending = 1;
int input, seen, queued;

CPU(0, worker) {
    clear_bit(0, &pending);
#ifndef BEFORE
    smp_mb();
#endif
    WRITE_ONCE(seen, READ_ONCE(input));
}

CPU(1, queuer) {
    WRITE_ONCE(input, 1);
    if (!test_and_set_bit(0, &pending))
        WRITE_ONCE(queued, 1);
}

int main(void) {
    pthread_t a = START(worker), b = START(queuer);
    JOIN(a);
    JOIN(b);
    BUG_ON(!queued && !seen);
}
