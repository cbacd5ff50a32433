// A driver writes a byte and says how far it has come; work that still runs sees that and reads the byte.
#include <xgen/kernel_test.h>

char byte;
int commit, seen = 7;

CPU(0, driver) {
    WRITE_ONCE(byte, 7);
#ifdef BEFORE
    WRITE_ONCE(commit, 1);
#else
    smp_store_release(&commit, 1);
#endif
}

CPU(1, flush) {
#ifdef BEFORE
    int upto = READ_ONCE(commit);
#else
    int upto = smp_load_acquire(&commit);
#endif
    if (upto)
        WRITE_ONCE(seen, READ_ONCE(byte));
}

int main(void) {
    pthread_t a = START(driver), b = START(flush);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 7);
}
