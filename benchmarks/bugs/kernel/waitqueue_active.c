// A reader queues itself and looks for data, a writer gives data and looks at the queue: one of them sees the other.
#include <xgen/kernel_test.h>

spinlock_t lock;
int data, slept, woken, on_queue;

CPU(0, reader) {
    spin_lock(&lock);
    WRITE_ONCE(on_queue, 1);
    spin_unlock(&lock);
    smp_mb();
    if (!READ_ONCE(data))
        WRITE_ONCE(slept, 1);
}

CPU(1, writer) {
    WRITE_ONCE(data, 1);
#ifndef BEFORE
    smp_mb();
#endif
    if (READ_ONCE(on_queue)) {
        spin_lock(&lock);
        WRITE_ONCE(woken, 1);
        spin_unlock(&lock);
    }
}

int main(void) {
    pthread_t a = START(reader), b = START(writer);
    JOIN(a);
    JOIN(b);
    BUG_ON(slept && !woken);
}
