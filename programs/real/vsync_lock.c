// real: open-s4c/libvsync dd93f802704c9c941eb7397fa101039bf21118ff: (headers)
// Two threads count inside a lock, the one that LOCK names.
#include <assert.h>
#include <pthread.h>

#define FILE_OF(lock) <vsync/spinlock/lock.h>
#define NAMED_(lock, what) lock##what
#define NAMED(lock, what) NAMED_(lock, what)
#include FILE_OF(LOCK)

static NAMED(LOCK, _t) lock;
static int counter;

static void *count(void *nothing) {
    NAMED(LOCK, _acquire)(&lock);
    counter++;
    NAMED(LOCK, _release)(&lock);
    return nothing;
}

int main(void) {
    pthread_t thread;
    NAMED(LOCK, _init)(&lock);
    pthread_create(&thread, 0, count, 0);
    count(0);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
