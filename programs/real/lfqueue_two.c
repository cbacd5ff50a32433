// real: Taymindis/lfqueue e095b6727ae5f5729b11747b7d682c9c2ec8330e: lfqueue.c
// Two threads put in a number each, and main takes one out.
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
    pthread_t a, b;
    assert(lfqueue_init(&queue) == 0);
    pthread_create(&a, 0, put, 0);
    pthread_create(&b, 0, put, 0);
    int *got = lfqueue_single_deq(&queue);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (!got)
        got = lfqueue_single_deq(&queue);
    assert(got == &one);
    return 0;
}
