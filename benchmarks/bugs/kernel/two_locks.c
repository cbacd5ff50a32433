// Each takes its own lock and goes on if the other one's is free: not both go on.
#include <xgen/kernel_test.h>

DEFINE_SPINLOCK(mine);
DEFINE_SPINLOCK(yours);
int first, second;

CPU(0, one) {
    spin_lock(&mine);
#ifndef BEFORE
    smp_mb();
#endif
    if (!spin_is_locked(&yours))
        WRITE_ONCE(first, 1);
}

CPU(1, other) {
    spin_lock(&yours);
#ifndef BEFORE
    smp_mb();
#endif
    if (!spin_is_locked(&mine))
        WRITE_ONCE(second, 1);
}

int main(void) {
    pthread_t a = START(one), b = START(other);
    JOIN(a);
    JOIN(b);
    BUG_ON(first && second);
}
