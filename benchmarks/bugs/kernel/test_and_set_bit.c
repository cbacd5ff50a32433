// The same, where who queues finds out by a test_and_set_bit that only looks where the bit is set.
#include <xgen/kernel_test.h>

unsigned long pending = 1;
int input, seen, queued;

static int grab(void) {
#ifdef BEFORE
    if (READ_ONCE(pending) & 1)
        return 1;
#endif
    return test_and_set_bit(0, &pending);
}

CPU(0, worker) {
    clear_bit(0, &pending);
    smp_mb();
    WRITE_ONCE(seen, READ_ONCE(input));
}

CPU(1, queuer) {
    WRITE_ONCE(input, 1);
    if (!grab())
        WRITE_ONCE(queued, 1);
}

int main(void) {
    pthread_t a = START(worker), b = START(queuer);
    JOIN(a);
    JOIN(b);
    BUG_ON(!queued && !seen);
}
