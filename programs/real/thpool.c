// real: Pithikos/C-Thread-Pool 2b56942a7347280ea4d0ede238cefacef96db4bb: thpool.c
// A pool of one thread does what it is given before main goes on.
#include <assert.h>

#include "thpool.h"

static int done;

static void work(void *nothing) {
    done = 1;
}

int main(void) {
    threadpool pool = thpool_init(1);
    thpool_add_work(pool, work, 0);
    thpool_wait(pool);
    assert(done == 1);
    return 0;
}
