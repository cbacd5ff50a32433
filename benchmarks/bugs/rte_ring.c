// One thread puts a pointer into a ring, another one takes it out and looks there.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <rte_ring.h>

static struct {
    struct rte_ring ring;
    void *slots[4];
} queue;
static int value;

static void *put(void *nothing) {
    value = 7;
    rte_ring_sp_enqueue(&queue.ring, &value);
    return nothing;
}

int main(void) {
    queue.ring.size = 4;
    queue.ring.mask = queue.ring.capacity = 3;
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    void *got = 0;
    if (rte_ring_sc_dequeue(&queue.ring, &got) == 0)
        assert(got == &value && *(int *)got == 7);
    pthread_join(thread, 0);
    return 0;
}
