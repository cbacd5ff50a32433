// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
#include "ck_fifo.h"
#include <stdlib.h>

static ck_fifo_spsc_t queue;
static ck_fifo_spsc_entry_t stub;

void init(void) {
    ck_fifo_spsc_init(&queue, &stub);
}

void enqueue(void *value) {
    ck_fifo_spsc_enqueue(&queue, malloc(sizeof(ck_fifo_spsc_entry_t)), value);
}

bool dequeue(void **value) {
    return ck_fifo_spsc_dequeue(&queue, value);
}
