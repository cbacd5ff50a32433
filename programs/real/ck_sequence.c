// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// A reader sees both numbers of one write, or looks again.
#include <assert.h>
#include <pthread.h>

#include "ck_sequence.h"

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static unsigned one, two;

static void *change(void *nothing) {
    ck_sequence_write_begin(&sequence);
    ck_pr_store_uint(&one, 1);
    ck_pr_store_uint(&two, 1);
    ck_sequence_write_end(&sequence);
    return nothing;
}

int main(void) {
    pthread_t thread;
    unsigned version, a, b;
    pthread_create(&thread, 0, change, 0);
    do {
        version = ck_sequence_read_begin(&sequence);
        a = ck_pr_load_uint(&one);
        b = ck_pr_load_uint(&two);
    } while (ck_sequence_read_retry(&sequence, version));
    assert(a == b);
    pthread_join(thread, 0);
    return 0;
}
