// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
#include "ck_spinlock.h"

static ck_spinlock_anderson_t lock;
static ck_spinlock_anderson_thread_t slots[4];
static int count;

void init(void) {
    ck_spinlock_anderson_init(&lock, slots, 4);
}

int inc(void) {
    ck_spinlock_anderson_thread_t *own;
    ck_spinlock_anderson_lock(&lock, &own);
    int old = count++;
    ck_spinlock_anderson_unlock(&lock, own);
    return old;
}
