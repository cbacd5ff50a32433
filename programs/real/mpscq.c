// real: dbittman/waitfree-mpsc-queue 020ba2262c48b24828bed98e5cc63c5529ca24ce: mpsc.c
// Two threads put in one number each, while main takes out; in the end both have been taken out once.
#include <assert.h>
#include <pthread.h>

#include "mpscq.h"

static struct mpscq queue;

static void *put(void *number) {
    assert(mpscq_enqueue(&queue, number));
    return 0;
}

int main(void) {
    pthread_t a, b;
    mpscq_create(&queue, 4);
    pthread_create(&a, 0, put, (void *)1);
    pthread_create(&b, 0, put, (void *)2);
    long sum = (long)mpscq_dequeue(&queue);
    pthread_join(a, 0);
    pthread_join(b, 0);
    sum += (long)mpscq_dequeue(&queue);
    sum += (long)mpscq_dequeue(&queue);
    assert(sum == 3);
    return 0;
}
