// One thread writes a byte, another one reads it.
#include <assert.h>
#include <pthread.h>

#include "jack/ringbuffer.h"

static jack_ringbuffer_t *ring;

static void *put(void *nothing) {
    jack_ringbuffer_write(ring, "\7", 1);
    return nothing;
}

int main(void) {
    ring = jack_ringbuffer_create(4);
    pthread_t writer;
    pthread_create(&writer, 0, put, 0);
    char got = 0;
    if (jack_ringbuffer_read(ring, &got, 1))
        assert(got == 7);
    pthread_join(writer, 0);
    return 0;
}
