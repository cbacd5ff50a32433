// The number of waits is set, then how many there are in a batch: by what orders just changes, in front of a write.
#include <xgen/kernel_test.h>

int batch;
atomic_t waits;
int seen = 1;

CPU(0, resize) {
    WRITE_ONCE(batch, 1);
#ifdef BEFORE
    smp_mb__before_atomic();
#else
    smp_mb();
#endif
    atomic_set(&waits, 1);
}

CPU(1, use) {
    if (atomic_read(&waits)) {
        smp_rmb();
        WRITE_ONCE(seen, READ_ONCE(batch));
    }
}

int main(void) {
    pthread_t a = START(resize), b = START(use);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 1);
}
