// Who stops spinning for a semaphore says so, and waits for it; who gives it up wakes those who wait, unless somebody
// spins for it.
#include <xgen/kernel_test.h>

int spinning = 1;
atomic_t waiting;
int left;

CPU(0, spinner) {
    smp_store_release(&spinning, 0);
    atomic_add_return(1, &waiting);
}

CPU(1, up) {
    if (atomic_add_return_release(0, &waiting)) {
#ifndef BEFORE
        smp_rmb();
#endif
        if (READ_ONCE(spinning))
            WRITE_ONCE(left, 1);
    }
}

int main(void) {
    pthread_t a = START(spinner), b = START(up);
    JOIN(a);
    JOIN(b);
    BUG_ON(left);
}
