// real: nanomsg/nng 2ab9b45b68541badbf972a5780c92602b6025d5e: src/platform/posix/posix_atomic.c
// Two threads set a flag and count: one of them was first, and the last one to leave sees 0.
#include <assert.h>
#include <pthread.h>

#include "core/nng_impl.h"

static nni_atomic_flag flag;
static nni_atomic_int references;
static nni_atomic_int first, last;

static void *work(void *nothing) {
    if (!nni_atomic_flag_test_and_set(&flag))
        nni_atomic_inc(&first);
    if (nni_atomic_dec_nv(&references) == 0)
        nni_atomic_inc(&last);
    return nothing;
}

int main(void) {
    pthread_t thread;
    nni_atomic_init(&first);
    nni_atomic_init(&last);
    nni_atomic_init(&references);
    nni_atomic_set(&references, 2);
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(nni_atomic_get(&first) == 1 && nni_atomic_get(&last) == 1);
    return 0;
}
