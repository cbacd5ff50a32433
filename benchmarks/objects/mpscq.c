// real: dbittman/waitfree-mpsc-queue 020ba2262c48b24828bed98e5cc63c5529ca24ce: mpsc.c
#include "mpscq.h"

static struct mpscq queue;

void init(void) {
    mpscq_create(&queue, 2);
}

bool enqueue(void *value) {
    return mpscq_enqueue(&queue, value);
}

void *dequeue(void) {
    return mpscq_dequeue(&queue);
}
