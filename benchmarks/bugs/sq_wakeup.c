// A program submits an entry, while the kernel, here a thread, goes to sleep: it sees the entry, or is woken up.
#include <assert.h>
#include <pthread.h>

#include "liburing.h"

static struct io_uring ring;
static struct io_uring_sqe entries[2];
static unsigned head, tail, array[2], mask = 1, size = 2, dropped;
static _Atomic unsigned flags;
static int woken, slept;

int ____sys_io_uring_enter(int fd, unsigned submit, unsigned wait, unsigned how, sigset_t *signals) {
    woken = 1;
    return submit;
}

int ____sys_io_uring_enter2(int fd, unsigned submit, unsigned wait, unsigned how, sigset_t *signals, int bytes) {
    woken = 1;
    return submit;
}

static void *sleep(void *nothing) {
    atomic_store(&flags, IORING_SQ_NEED_WAKEUP);
    slept = __atomic_load_n(&tail, __ATOMIC_SEQ_CST) == 0;
    return nothing;
}

int main(void) {
    ring.flags = IORING_SETUP_SQPOLL;
    ring.sq.khead = &head, ring.sq.ktail = &tail, ring.sq.kflags = (unsigned *)&flags, ring.sq.array = array;
    ring.sq.kring_mask = &mask, ring.sq.kring_entries = &size, ring.sq.kdropped = &dropped, ring.sq.sqes = entries;
    pthread_t kernel;
    pthread_create(&kernel, 0, sleep, 0);
    io_uring_get_sqe(&ring);
    io_uring_submit(&ring);
    pthread_join(kernel, 0);
    assert(!slept || woken);
    return 0;
}
