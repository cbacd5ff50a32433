// real: rmind/ringbuf 245a4716aceb62142b949387a04c9ba5ebc21931: (included, so that the size of its struct is known)
// Two workers produce one byte each; what is consumed has been written.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "ringbuf.c"

static ringbuf_t *ring;
static char data[4];

static void *produce(void *number) {
    ringbuf_worker_t *worker = ringbuf_register(ring, (unsigned)(long)number);
    ssize_t at = ringbuf_acquire(ring, worker, 1);
    if (at >= 0) {
        data[at] = 1;
        ringbuf_produce(ring, worker);
    }
    ringbuf_unregister(ring, worker);
    return 0;
}

int main(void) {
    pthread_t a, b;
    size_t at, size;
    ringbuf_get_sizes(2, &size, 0);
    ring = malloc(size);
    ringbuf_setup(ring, 2, 4);
    pthread_create(&a, 0, produce, (void *)0);
    pthread_create(&b, 0, produce, (void *)1);
    size = ringbuf_consume(ring, &at);
    for (size_t k = 0; k < 2; k++)
        if (k < size)
            assert(data[at + k] == 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
