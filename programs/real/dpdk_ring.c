// real: DPDK/dpdk 38f72e500b3b159eca3ba2f4ca0e46a26a7cb057: (headers)
// Two threads put one pointer each into a ring for several of them; main takes them out: no one twice.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <rte_ring.h>

#define SIZE 4

static struct {
    struct rte_ring ring;
    void *slots[SIZE];
} queue;
static int one, two;

static void *put(void *number) {
    rte_ring_mp_enqueue(&queue.ring, number);
    return 0;
}

int main(void) {
    pthread_t thread;
    void *first = 0, *second = 0;
    queue.ring.size = SIZE;
    queue.ring.mask = SIZE - 1;
    queue.ring.capacity = SIZE - 1;
    pthread_create(&thread, 0, put, &one);
    put(&two);
    int found = rte_ring_sc_dequeue(&queue.ring, &first) == 0;
    pthread_join(thread, 0);
    assert(found && (first == &one || first == &two));
    assert(rte_ring_sc_dequeue(&queue.ring, &second) == 0 && second != first);
    return 0;
}
