// A program waits until the kernel, here a thread, has taken an entry of a queue, and reuses its memory.
#include <assert.h>
#include <pthread.h>

#include "liburing.h"

static struct io_uring ring;
static unsigned head;
static int entry = 7;

static void *take(void *nothing) {
    assert(entry == 7);
    io_uring_smp_store_release(&head, 1);
    return nothing;
}

int main(void) {
    ring.flags = IORING_SETUP_SQPOLL;
    ring.sq.khead = &head;
    ring.sq.sqe_tail = 1;
    pthread_t kernel;
    pthread_create(&kernel, 0, take, 0);
    if (!io_uring_sq_ready(&ring))
        entry = 8;
    pthread_join(kernel, 0);
    return 0;
}
