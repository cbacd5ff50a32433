// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// -D KIND=spsc, mpsc, spmc or mpmc
#include "ck_ring.h"

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)

static struct ck_ring ring;
static struct ck_ring_buffer buffer[2];

void init(void) {
    ck_ring_init(&ring, 2);
}

bool enqueue(void *value) {
    return NAMED(ck_ring_enqueue_, KIND)(&ring, buffer, value);
}

bool dequeue(void **value) {
    return NAMED(ck_ring_dequeue_, KIND)(&ring, buffer, value);
}
