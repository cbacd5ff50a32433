// A thread puts what it has written into a queue, main takes it out and looks at it.
#include <assert.h>
#include <pthread.h>
#include <rte_atomic.h>
#include <rte_common.h>
#include <exec-env/rte_kni_common.h>

#include "rte_kni_fifo.h"

static struct {
    struct rte_kni_fifo fifo;
    void *slots[2];
} queue;
static int value;

static void *put(void *nothing) {
    void *sent = &value;
    value = 7;
    kni_fifo_put(&queue.fifo, &sent, 1);
    return nothing;
}

int main(void) {
    queue.fifo.len = 2;
    queue.fifo.elem_size = sizeof(void *);
    pthread_t sender;
    pthread_create(&sender, 0, put, 0);
    void *got = 0;
    if (kni_fifo_get(&queue.fifo, &got, 1))
        assert(got == &value && value == 7);
    pthread_join(sender, 0);
    return 0;
}
