// A thread puts a pointer into a ring, two take one each out: one of them gets it at most.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <rte_ring.h>

static struct {
    struct rte_ring ring;
    void *slots[2];
} queue;
static int value;

static void *take(void *nothing) {
    void *got = 0;
    return rte_ring_mc_dequeue(&queue.ring, &got) ? 0 : "taken";
}

int main(void) {
    queue.ring.size = 2;
    queue.ring.mask = queue.ring.capacity = 1;
    pthread_t one, other;
    void *taken[2];
    pthread_create(&one, 0, take, 0);
    pthread_create(&other, 0, take, 0);
    rte_ring_sp_enqueue(&queue.ring, &value);
    pthread_join(one, &taken[0]);
    pthread_join(other, &taken[1]);
    assert(!taken[0] || !taken[1]);
    return 0;
}
