// A mount is taken without the lock, and given back if the lock's number has changed; who unmounts counts who has it.
#include <xgen/kernel_test.h>

int references, sequence, kept, gone;

CPU(0, legitimize) {
    WRITE_ONCE(references, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (!READ_ONCE(sequence))
        WRITE_ONCE(kept, 1);
}

CPU(1, unmount) {
    WRITE_ONCE(sequence, 1);
    smp_mb();
    if (!READ_ONCE(references))
        WRITE_ONCE(gone, 1);
}

int main(void) {
    pthread_t a = START(legitimize), b = START(unmount);
    JOIN(a);
    JOIN(b);
    BUG_ON(kept && gone);
}
