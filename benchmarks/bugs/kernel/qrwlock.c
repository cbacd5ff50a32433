// A writer waits until no reader is there, and then takes the lock: a reader that came and went meanwhile is over.
#include <xgen/kernel_test.h>

#define WAITING 0x100
atomic_t readers = ATOMIC_INIT(WAITING);
int shared, seen;

CPU(0, writer) {
    if (atomic_read_acquire(&readers) == WAITING)
#ifdef BEFORE
        if (atomic_cmpxchg_relaxed(&readers, WAITING, 1) == WAITING)
#else
        if (atomic_cmpxchg_acquire(&readers, WAITING, 1) == WAITING)
#endif
            WRITE_ONCE(seen, READ_ONCE(shared));
}

CPU(1, reader) {
    if (atomic_add_return_acquire(2, &readers) == WAITING + 2) {
        WRITE_ONCE(shared, 1);
        WRITE_ONCE(shared, 2);
        atomic_sub_return_release(2, &readers);
    }
}

int main(void) {
    pthread_t a = START(writer), b = START(reader);
    JOIN(a);
    JOIN(b);
    BUG_ON(seen == 1);
}
