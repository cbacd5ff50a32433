// A flag says that more than one holds a buffer, and how many stands beside it: who sees the flag sees the number.
#include <xgen/kernel_test.h>

int chained;
atomic_t remaining;
int seen = 2;

CPU(0, set) {
    WRITE_ONCE(chained, 1);
#ifdef BEFORE
    smp_mb__before_atomic();
#else
    smp_mb();
#endif
    atomic_set(&remaining, 2);
}

CPU(1, end) {
    if (atomic_read(&remaining) == 2) {
        smp_rmb();
        WRITE_ONCE(seen, READ_ONCE(chained) ? 2 : 1);
    }
}

int main(void) {
    pthread_t a = START(set), b = START(end);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 2);
}
