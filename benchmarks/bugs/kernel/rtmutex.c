// A lock that is taken by a relaxed compare-exchange on its slow path: what the last owner wrote has to be seen.
#include <xgen/kernel_test.h>

int owner = 1;
int data, seen = 1;

CPU(0, gives) {
    WRITE_ONCE(data, 1);
    smp_store_release(&owner, 0);
}

CPU(1, takes) {
#ifdef BEFORE
    if (cmpxchg_relaxed(&owner, 0, 2) == 0)
#else
    if (cmpxchg_acquire(&owner, 0, 2) == 0)
#endif
        WRITE_ONCE(seen, READ_ONCE(data));
}

int main(void) {
    pthread_t a = START(gives), b = START(takes);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 1);
}
