// Two give up a reference each; the last one sees what the other one has written.
#include <xgen/kernel_test.h>

atomic_t references = ATOMIC_INIT(2);
int parts[2], wrong;

static void put(int mine) {
    WRITE_ONCE(parts[mine], 1);
    if (atomic_sub_return_release(1, &references) == 0) {
#ifndef BEFORE
        smp_acquire__after_ctrl_dep();
#endif
        if (!READ_ONCE(parts[1 - mine]))
            WRITE_ONCE(wrong, 1);
    }
}

CPU(0, one) { put(0); }

CPU(1, other) { put(1); }

int main(void) {
    pthread_t a = START(one), b = START(other);
    JOIN(a);
    JOIN(b);
    BUG_ON(wrong);
}
