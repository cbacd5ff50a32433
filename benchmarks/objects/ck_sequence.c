// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
#include "ck_sequence.h"

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static unsigned one, two;

void write(unsigned value) {
    ck_sequence_write_begin(&sequence);
    ck_pr_store_uint(&one, value);
    ck_pr_store_uint(&two, value);
    ck_sequence_write_end(&sequence);
}

unsigned read(void) {
    unsigned version, a, b;
    do {
        version = ck_sequence_read_begin(&sequence);
        a = ck_pr_load_uint(&one);
        b = ck_pr_load_uint(&two);
    } while (ck_sequence_read_retry(&sequence, version));
    return a == b ? a : 99;
}
