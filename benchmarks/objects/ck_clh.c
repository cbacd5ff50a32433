// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
#include "ck_spinlock.h"
#include <stdlib.h>

static ck_spinlock_clh_t *lock;
static ck_spinlock_clh_t free_one;
static int count;

void init(void) {
    ck_spinlock_clh_init(&lock, &free_one);
}

int inc(void) {
    ck_spinlock_clh_t *own = malloc(sizeof *own);
    ck_spinlock_clh_lock(&lock, own);
    int old = count++;
    ck_spinlock_clh_unlock(&own);
    return old;
}
