// A ring with one place: the reader says that it has read, and the writer writes there again.
#include <xgen/kernel_test.h>

int record = 1, head = 1, tail, seen = 1;

CPU(0, reader) {
    if (READ_ONCE(head)) {
        smp_rmb();
        WRITE_ONCE(seen, READ_ONCE(record));
#ifndef BEFORE
        smp_mb();
#endif
        WRITE_ONCE(tail, 1);
    }
}

CPU(1, writer) {
    if (READ_ONCE(tail))
        WRITE_ONCE(record, 2);
}

int main(void) {
    pthread_t a = START(reader), b = START(writer);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen != 1);
}
