// A key's refusal is replaced by what it holds: who sees that it is there sees what it holds.
#include <xgen/kernel_test.h>

int payload, state, used = 1;

CPU(0, instantiate) {
    WRITE_ONCE(payload, 1);
#ifdef BEFORE
    WRITE_ONCE(state, 1);
#else
    smp_store_release(&state, 1);
#endif
}

CPU(1, find) {
#ifdef BEFORE
    if (READ_ONCE(state))
#else
    if (smp_load_acquire(&state))
#endif
        WRITE_ONCE(used, READ_ONCE(payload));
}

int main(void) {
    pthread_t a = START(instantiate), b = START(find);
    JOIN(a);
    JOIN(b);
    BUG_ON(used != 1);
}
