// real: rmind/libqsbr e73407cb5dba097e59036e9a4ad8cfe8f5fe50dd: src/ebr.c
// main, in a critical section, never sees what a writer destroys after it has waited for all readers. (A reader that ends
// is another matter: its entry is freed with it, and `ebr_sync` walks the list without the lock.)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/cdefs.h>

#include "ebr.h"

static ebr_t *ebr;
static int object = 1;
static int *_Atomic shared = &object;

static void *replace(void *nothing) {
    unsigned epoch;
    shared = 0;
    for (int k = 0; k < EBR_EPOCHS; k++)
        if (!ebr_sync(ebr, &epoch))
            return nothing;
    object = 2;
    return nothing;
}

int main(void) {
    pthread_t writer;
    ebr = ebr_create();
    ebr_register(ebr);
    pthread_create(&writer, 0, replace, 0);
    ebr_enter(ebr);
    int *p = shared;
    if (p)
        assert(*p == 1);
    ebr_exit(ebr);
    pthread_join(writer, 0);
    return 0;
}
