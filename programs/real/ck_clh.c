// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// Two threads take a lock of Craig, Landin and Hagersten around an increment.
#include <assert.h>
#include <pthread.h>

#include "ck_spinlock.h"

static ck_spinlock_clh_t *lock, unowned, nodes[2];
static int count;

static void *add(void *number) {
    ck_spinlock_clh_t *own = &nodes[(long)number];
    ck_spinlock_clh_lock(&lock, own);
    count++;
    ck_spinlock_clh_unlock(&own);
    return 0;
}

int main(void) {
    pthread_t a, b;
    ck_spinlock_clh_init(&lock, &unowned);
    pthread_create(&a, 0, add, (void *)0);
    pthread_create(&b, 0, add, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
