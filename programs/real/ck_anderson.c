// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// Two threads take Anderson's lock around an increment.
#include <assert.h>
#include <pthread.h>

#include "ck_spinlock.h"

static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t slots[2];
static int count;

static void *add(void *nothing) {
    ck_spinlock_anderson_thread_t *own;
    ck_spinlock_anderson_lock(&lock, &own);
    count++;
    ck_spinlock_anderson_unlock(&lock, own);
    return nothing;
}

int main(void) {
    pthread_t a, b;
    ck_spinlock_anderson_init(&lock, slots, 2);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
