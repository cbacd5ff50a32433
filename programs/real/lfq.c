// real: darkautism/lfqueue 944a77cb6a05d2a800beac736424b12171fc709c: lfq.c
// Two threads put in one number each; main, which takes out both, gets each of them once.
#include <assert.h>
#include <pthread.h>

#include "lfq.h"

static struct lfq_ctx queue;

static void *put(void *number) {
    lfq_enqueue(&queue, number);
    return 0;
}

int main(void) {
    pthread_t a, b;
    assert(lfq_init(&queue, 1) == 0);
    pthread_create(&a, 0, put, (void *)1);
    pthread_create(&b, 0, put, (void *)2);
    pthread_join(a, 0);
    pthread_join(b, 0);
    long first = (long)lfq_dequeue_tid(&queue, 1);
    long second = (long)lfq_dequeue_tid(&queue, 1);
    assert(first + second == 3 && first != second);
    return 0;
}
