// real: rmind/libqsbr e73407cb5dba097e59036e9a4ad8cfe8f5fe50dd: src/qsbr.c
// A thread registers, passes a checkpoint and unregisters, while main looks whether all have passed one.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#include "qsbr.h"

static qsbr_t *qs;

static void *work(void *nothing) {
    assert(qsbr_register(qs) == 0);
    qsbr_checkpoint(qs);
    qsbr_unregister(qs);
    return nothing;
}

int main(void) {
    pthread_t thread;
    qs = qsbr_create();
    qsbr_register(qs);
    pthread_create(&thread, 0, work, 0);
    qsbr_epoch_t target = qsbr_barrier(qs);
    qsbr_checkpoint(qs);
    (void)qsbr_sync(qs, target);
    pthread_join(thread, 0);
    return 0;
}
