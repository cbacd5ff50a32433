// A probe's instruction is copied, and then marked as copied: who sees the mark uses the copy.
#include <xgen/kernel_test.h>

unsigned long flags;
int copy, used = 1;

CPU(0, prepare) {
    WRITE_ONCE(copy, 1);
#ifndef BEFORE
    smp_wmb();
#endif
    set_bit(0, &flags);
}

CPU(1, hit) {
    if (test_bit(0, &flags)) {
#ifndef BEFORE
        smp_rmb();
#endif
        WRITE_ONCE(used, READ_ONCE(copy));
    }
}

int main(void) {
    pthread_t a = START(prepare), b = START(hit);
    JOIN(a);
    JOIN(b);
    BUG_ON(used != 1);
}
