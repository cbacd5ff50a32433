// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// -D LOCK=fas, cas, dec or ticket
#include "ck_spinlock.h"

#define JOINED(a, b, c) a##b##c
#define NAMED(a, b, c) JOINED(a, b, c)
#define CALL(what) NAMED(ck_spinlock_, LOCK, what)

static struct NAMED(ck_spinlock_, LOCK, ) lock;
static int count;

void init(void) {
    CALL(_init)(&lock);
}

int inc(void) {
    CALL(_lock)(&lock);
    int old = count++;
    CALL(_unlock)(&lock);
    return old;
}
