// A reader in a section looks at an object that a writer takes away, and clears behind a grace period.
#include <assert.h>
#include <pthread.h>

#include "ck_epoch.h"
#include "ck_pr.h"

static ck_epoch_t epoch;
static ck_epoch_record_t records[2];
static int object = 1, *shared = &object;

static void *read_it(void *nothing) {
    ck_epoch_section_t section;
    ck_epoch_begin(&records[1], &section);
    int *seen = ck_pr_load_ptr(&shared);
    if (seen)
        assert(ck_pr_load_int(seen) == 1);
    ck_epoch_end(&records[1], &section);
    return nothing;
}

int main(void) {
    ck_epoch_init(&epoch);
    ck_epoch_register(&epoch, &records[0], 0);
    ck_epoch_register(&epoch, &records[1], 0);
    pthread_t reader;
    pthread_create(&reader, 0, read_it, 0);
    ck_pr_store_ptr(&shared, 0);
    ck_epoch_synchronize(&records[0]);
    ck_pr_store_int(&object, 0);
    pthread_join(reader, 0);
    return 0;
}
