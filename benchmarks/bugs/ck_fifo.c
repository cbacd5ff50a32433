// Two threads enqueue an entry each, and main dequeues: what comes out is complete.
#include <assert.h>
#include <pthread.h>

#include "ck_fifo.h"

static ck_fifo_mpmc_t fifo;
static ck_fifo_mpmc_entry_t stub, entries[2];
static int values[2];

static void *put(void *number) {
    values[(long)number] = 1 + (long)number;
    ck_fifo_mpmc_enqueue(&fifo, &entries[(long)number], &values[(long)number]);
    return 0;
}

int main(void) {
    ck_fifo_mpmc_init(&fifo, &stub);
    pthread_t one, other;
    pthread_create(&one, 0, put, (void *)0);
    pthread_create(&other, 0, put, (void *)1);
    ck_fifo_mpmc_entry_t *garbage;
    int *value;
    if (ck_fifo_mpmc_dequeue(&fifo, &value, &garbage))
        assert(*value == (value == &values[0] ? 1 : 2));
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
