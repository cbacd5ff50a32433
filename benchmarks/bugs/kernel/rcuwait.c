// A waiter says who it is and looks at the condition, a waker sets it and looks who waits: one of them sees the other.
#include <xgen/kernel_test.h>

int task;
int condition, woken, slept;

CPU(0, waiter) {
    WRITE_ONCE(task, 1);
    smp_mb();
    if (!READ_ONCE(condition))
        WRITE_ONCE(slept, 1);
}

CPU(1, waker) {
    WRITE_ONCE(condition, 1);
#ifdef BEFORE
    smp_rmb();
#else
    smp_mb();
#endif
    rcu_read_lock();
    if (READ_ONCE(task))
        WRITE_ONCE(woken, 1);
    rcu_read_unlock();
}

int main(void) {
    pthread_t a = START(waiter), b = START(waker);
    JOIN(a);
    JOIN(b);
    BUG_ON(slept && !woken);
}
