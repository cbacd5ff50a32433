// A thread gives a buffer back to a ring, as a program does; what the kernel does is done by another thread.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "liburing.h"

static struct io_uring ring;
static struct io_uring_buf_ring *buffers;
static unsigned head, flags;
static int memory;

static void *give(void *nothing) {
    io_uring_buf_ring_add(buffers, &memory, sizeof memory, 7, 1, 0);
    __io_uring_buf_ring_cq_advance(&ring, buffers, 1, 1);
    return nothing;
}

int main(void) {
    buffers = calloc(2, sizeof(struct io_uring_buf));
    ring.cq.khead = &head;
    pthread_t program;
    pthread_create(&program, 0, give, 0);
    if (io_uring_smp_load_acquire(&buffers->tail) == 1)
        assert(buffers->bufs[0].bid == 7);
    pthread_join(program, 0);
    return 0;
}
