// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// One thread puts a pointer into a ring (-D KIND=spsc, mpsc, spmc or mpmc), main takes one out: what it is to is there.
#include <assert.h>
#include <pthread.h>

#include "ck_ring.h"

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)

static struct ck_ring ring;
static struct ck_ring_buffer buffer[4];
static int one;

static void *put(void *nothing) {
    one = 1;
    assert(NAMED(ck_ring_enqueue_, KIND)(&ring, buffer, &one));
    return nothing;
}

int main(void) {
    pthread_t thread;
    void *got;
    ck_ring_init(&ring, 4);
    pthread_create(&thread, 0, put, 0);
    if (NAMED(ck_ring_dequeue_, KIND)(&ring, buffer, &got))
        assert(*(int *)got == 1);
    pthread_join(thread, 0);
    return 0;
}
