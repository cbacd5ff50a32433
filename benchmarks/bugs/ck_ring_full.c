// A ring is full: one thread takes out what it has, another one puts the next in when there is room.
#include <assert.h>
#include <pthread.h>

#include "ck_ring.h"

static struct ck_ring ring;
static struct ck_ring_buffer buffer[2];
static int first, second;

static void *put(void *nothing) {
    ck_ring_enqueue_spsc(&ring, buffer, &second);
    return nothing;
}

int main(void) {
    ck_ring_init(&ring, 2);
    ck_ring_enqueue_spsc(&ring, buffer, &first);
    pthread_t thread;
    pthread_create(&thread, 0, put, 0);
    void *got = 0;
    if (ck_ring_dequeue_spsc(&ring, buffer, &got))
        assert(got == &first);
    pthread_join(thread, 0);
    return 0;
}
