// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// One thread puts a pointer into a queue, main takes one out: what it is to is there.
#include <assert.h>
#include <pthread.h>

#include "ck_fifo.h"

static ck_fifo_spsc_t queue;
static ck_fifo_spsc_entry_t stub, entry;
static int one;

static void *put(void *nothing) {
    one = 1;
    ck_fifo_spsc_enqueue(&queue, &entry, &one);
    return nothing;
}

int main(void) {
    pthread_t thread;
    int *got;
    ck_fifo_spsc_init(&queue, &stub);
    pthread_create(&thread, 0, put, 0);
    if (ck_fifo_spsc_dequeue(&queue, &got))
        assert(*got == 1);
    pthread_join(thread, 0);
    return 0;
}
