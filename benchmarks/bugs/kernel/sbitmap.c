// Who gives a tag back has read its instance before another one takes the tag and changes it.
#include <xgen/kernel_test.h>

unsigned long map = 1;
int instance = 7, seen;

CPU(0, gives) {
    WRITE_ONCE(seen, READ_ONCE(instance));
#ifndef BEFORE
    smp_mb__before_atomic();
#endif
    clear_bit(0, &map);
}

CPU(1, takes) {
    if (!test_and_set_bit_lock(0, &map))
        WRITE_ONCE(instance, 8);
}

int main(void) {
    pthread_t a = START(gives), b = START(takes);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 7);
}
