// real: Taymindis/lfqueue e095b6727ae5f5729b11747b7d682c9c2ec8330e: lfqueue.c
// One thread puts in a number, and main takes one out; there is one.
#include <assert.h>
#include <pthread.h>

#include "lfqueue.h"

static lfqueue_t queue;
static int one = 1;

static void *put(void *nothing) {
    assert(lfqueue_enq(&queue, &one) == 0);
    return nothing;
}

int main(void) {
    pthread_t thread;
    assert(lfqueue_init(&queue) == 0);
    pthread_create(&thread, 0, put, 0);
    int *got = lfqueue_single_deq(&queue);
    pthread_join(thread, 0);
    if (!got)
        got = lfqueue_single_deq(&queue);
    assert(got == &one);
    return 0;
}
