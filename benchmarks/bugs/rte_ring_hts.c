// Two threads put a pointer each into a ring with room for one and take one out: none is there twice.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <rte_ring.h>

static struct {
    struct rte_ring ring;
    void *slots[2];
} queue;
static int values[2];

static void *move(void *number) {
    void *got = 0;
    rte_ring_mp_hts_enqueue_bulk(&queue.ring, (void *[]){&values[(long)number]}, 1, 0);
    if (rte_ring_mc_hts_dequeue_bulk(&queue.ring, &got, 1, 0))
        assert(got);
    return got;
}

int main(void) {
    queue.ring.size = 2;
    queue.ring.mask = queue.ring.capacity = 1;
    pthread_t thread;
    void *other;
    pthread_create(&thread, 0, move, (void *)1);
    void *mine = move((void *)0);
    pthread_join(thread, &other);
    assert(!mine || mine != other);
    return 0;
}
