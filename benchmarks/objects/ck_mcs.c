// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
#include "ck_spinlock.h"

static ck_spinlock_mcs_t lock;
static int count;

void init(void) {
    ck_spinlock_mcs_init(&lock);
}

int inc(void) {
    struct ck_spinlock_mcs own;
    ck_spinlock_mcs_lock(&lock, &own);
    int old = count++;
    ck_spinlock_mcs_unlock(&lock, &own);
    return old;
}
