// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// A reader never sees what a writer has half done.
#include <assert.h>
#include <pthread.h>

#include "ck_rwlock.h"

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int one, two;

static void *change(void *nothing) {
    ck_rwlock_write_lock(&lock);
    one = two = 1;
    ck_rwlock_write_unlock(&lock);
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, change, 0);
    ck_rwlock_read_lock(&lock);
    assert(one == two);
    ck_rwlock_read_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
