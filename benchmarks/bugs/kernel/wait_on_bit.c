// Who finds that a bit is clear, and so waits no more, sees what was done before it was cleared.
#include <xgen/kernel_test.h>

unsigned long flags = 1;
int data, seen = 1;

CPU(0, clears) {
    WRITE_ONCE(data, 1);
    clear_bit_unlock(0, &flags);
}

CPU(1, waits) {
#ifdef BEFORE
    if (!(READ_ONCE(flags) & 1))
#else
    if (!(smp_load_acquire(&flags) & 1))
#endif
        WRITE_ONCE(seen, READ_ONCE(data));
}

int main(void) {
    pthread_t a = START(clears), b = START(waits);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 1);
}
