// A producer puts a pointer into a slot, a consumer looks at what it leads to.
#include <xgen/kernel_test.h>

int object, seen = 1, *slot;

CPU(0, producer) {
    WRITE_ONCE(object, 1);
#ifndef BEFORE
    smp_wmb();
#endif
    WRITE_ONCE(slot, &object);
}

CPU(1, consumer) {
    int *found = READ_ONCE(slot);
    if (found)
        WRITE_ONCE(seen, READ_ONCE(*found));
}

int main(void) {
    pthread_t a = START(producer), b = START(consumer);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 1);
}
