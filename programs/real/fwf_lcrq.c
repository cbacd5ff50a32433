// real: chaoran/fast-wait-free-queue d41ec16e5169c864e5fdbe05e1988358bd335fa0: lcrq.c hzdptr.c xxhash.c
// One thread puts in a number, and main takes one out: none, or that one.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "queue.h"

static queue_t queue;
static handle_t handles[2];

static void *put(void *number) {
    enqueue(&queue, &handles[1], number);
    return 0;
}

int main(void) {
    pthread_t thread;
    queue_init(&queue, 2);
    queue_register(&queue, &handles[0], 0);
    queue_register(&queue, &handles[1], 1);
    pthread_create(&thread, 0, put, (void *)1);
    void *got = dequeue(&queue, &handles[0]);
    assert(got == (void *)1 || got == EMPTY);
    pthread_join(thread, 0);
    return 0;
}
