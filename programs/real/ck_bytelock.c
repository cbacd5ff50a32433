// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// A writer, which looks at eight bytes of readers at once, beside a reader with a byte of its own.
#include <assert.h>
#include <pthread.h>

#include "ck_bytelock.h"

static ck_bytelock_t lock = CK_BYTELOCK_INITIALIZER;
static int first, second;

static void *read(void *nothing) {
    ck_bytelock_read_lock(&lock, 1);
    assert(first == second);
    ck_bytelock_read_unlock(&lock, 1);
    return nothing;
}

int main(void) {
    pthread_t reader;
    pthread_create(&reader, 0, read, 0);
    ck_bytelock_write_lock(&lock, 2);
    first = second = 1;
    ck_bytelock_write_unlock(&lock);
    pthread_join(reader, 0);
    return 0;
}
