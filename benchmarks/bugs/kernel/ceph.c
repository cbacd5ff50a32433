// Entries of a folder are counted as complete by a number that is set behind them.
#include <xgen/kernel_test.h>

int entries;
atomic_t complete;
int seen = 3;

CPU(0, fill) {
    WRITE_ONCE(entries, 3);
#ifdef BEFORE
    smp_mb__before_atomic();
#else
    smp_mb();
#endif
    atomic_set(&complete, 1);
}

CPU(1, list) {
    if (atomic_read(&complete)) {
        smp_rmb();
        WRITE_ONCE(seen, READ_ONCE(entries));
    }
}

int main(void) {
    pthread_t a = START(fill), b = START(list);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 3);
}
