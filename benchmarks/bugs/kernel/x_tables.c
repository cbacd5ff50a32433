// A table is replaced, and freed when nobody reads it: a reader's count is odd while it reads.
#include <xgen/kernel_test.h>

int table = 1, count, used_old, freed;

CPU(0, packet) {
    WRITE_ONCE(count, 1);
    smp_mb();
    if (READ_ONCE(table) == 1)
        WRITE_ONCE(used_old, 1);
}

CPU(1, replace) {
    WRITE_ONCE(table, 2);
#ifdef BEFORE
    smp_wmb();
#else
    smp_mb();
#endif
    if (!(READ_ONCE(count) & 1))
        WRITE_ONCE(freed, 1);
}

int main(void) {
    pthread_t a = START(packet), b = START(replace);
    JOIN(a);
    JOIN(b);
    BUG_ON(used_old && freed);
}
