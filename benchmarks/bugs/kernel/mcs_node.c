// Who queues for a lock clears its node and hangs it behind the one before; that one hands the lock over to the node.
#include <xgen/kernel_test.h>

struct node {
    struct node *next;
    int locked;
} first, second = {0, 2};

CPU(0, queue) {
    WRITE_ONCE(second.locked, 0);
#ifndef BEFORE
    smp_wmb();
#endif
    WRITE_ONCE(first.next, &second);
}

int handed;

CPU(1, unlock) {
    struct node *next = READ_ONCE(first.next);
    if (next) {
        WRITE_ONCE(next->locked, 1);
        WRITE_ONCE(handed, 1);
    }
}

int main(void) {
    pthread_t a = START(queue), b = START(unlock);
    JOIN(a);
    JOIN(b);
    BUG_ON(handed && second.locked != 1);
}
