// real: Pithikos/C-Thread-Pool 2b56942a7347280ea4d0ede238cefacef96db4bb: (included, so that its thread can be ended)
// A pool of one thread does what it is given before main goes on. Its thread is told to end as thpool_destroy does,
// which also looks at the time, in floating point.
#include <assert.h>

#include <thpool.c>

static int done;

static void work(void *nothing) {
    done = 1;
}

int main(void) {
    threadpool pool = thpool_init(1);
    thpool_add_work(pool, work, 0);
    thpool_wait(pool);
    assert(done == 1);
    threads_keepalive = 0;
    bsem_post_all(pool->jobqueue.has_jobs);
    return 0;
}
