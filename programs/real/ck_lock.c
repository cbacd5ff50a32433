// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// Two threads take a lock (-D LOCK=fas, cas, dec or ticket) around an increment.
#include <assert.h>
#include <pthread.h>

#include "ck_spinlock.h"

#define JOINED(a, b, c) a##b##c
#define NAMED(a, b, c) JOINED(a, b, c)
#define CALL(what) NAMED(ck_spinlock_, LOCK, what)

static struct NAMED(ck_spinlock_, LOCK, ) lock;
static int count;

static void *add(void *nothing) {
    CALL(_lock)(&lock);
    count++;
    CALL(_unlock)(&lock);
    return nothing;
}

int main(void) {
    pthread_t a, b;
    CALL(_init)(&lock);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
