// Data is read into a buffer, which is marked; who sees the mark sees the data.
#include <xgen/kernel_test.h>

unsigned long state;
int data, seen = 1;

CPU(0, fill) {
    WRITE_ONCE(data, 1);
#ifndef BEFORE
    smp_mb__before_atomic();
#endif
    set_bit(0, &state);
}

CPU(1, use) {
#ifdef BEFORE
    int ready = READ_ONCE(state) & 1;
#else
    int ready = smp_load_acquire(&state) & 1;
#endif
    if (ready)
        WRITE_ONCE(seen, READ_ONCE(data));
}

int main(void) {
    pthread_t a = START(fill), b = START(use);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 1);
}
