// real: Taymindis/lfqueue e095b6727ae5f5729b11747b7d682c9c2ec8330e: lfqueue.c
#include "lfqueue.h"

static lfqueue_t queue;

void init(void) {
    lfqueue_init(&queue);
}

int enqueue(void *value) {
    return lfqueue_enq(&queue, value);
}

void *dequeue(void) {
    return lfqueue_single_deq(&queue);
}
