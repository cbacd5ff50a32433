// A waiter counts itself (by a key whose reference needs no counter) and looks at the word, a waker changes the word and
// looks at the count: one of them sees the other.
#include <xgen/kernel_test.h>

int word, waiters, slept, woken;

CPU(0, waiter) {
    WRITE_ONCE(waiters, 1);
    smp_mb();
    if (!READ_ONCE(word))
        WRITE_ONCE(slept, 1);
}

CPU(1, waker) {
    WRITE_ONCE(word, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (READ_ONCE(waiters))
        WRITE_ONCE(woken, 1);
}

int main(void) {
    pthread_t a = START(waiter), b = START(waker);
    JOIN(a);
    JOIN(b);
    BUG_ON(slept && !woken);
}
