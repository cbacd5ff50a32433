// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// Two threads take a lock of Mellor-Crummey and Scott around an increment.
#include <assert.h>
#include <pthread.h>

#include "ck_spinlock.h"

static ck_spinlock_mcs_t lock;
static struct ck_spinlock_mcs nodes[2];
static int count;

static void *add(void *number) {
    struct ck_spinlock_mcs *own = &nodes[(long)number];
    ck_spinlock_mcs_lock(&lock, own);
    count++;
    ck_spinlock_mcs_unlock(&lock, own);
    return 0;
}

int main(void) {
    pthread_t a, b;
    ck_spinlock_mcs_init(&lock);
    pthread_create(&a, 0, add, (void *)0);
    pthread_create(&b, 0, add, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 2);
    return 0;
}
