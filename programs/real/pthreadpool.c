// real: Maratyszcza/pthreadpool 560c60d342a76076f0557a3946924c6478470044: src/pthreads.c src/memory.c src/portable-api.c src/fastpath.c
// A pool of two threads has done two pieces of work when it says so.
#include <assert.h>

#include <pthreadpool.h>

static int done[2];

static void work(void *nothing, size_t which) {
    done[which]++;
}

int main(void) {
    pthreadpool_t pool = pthreadpool_create(2);
    pthreadpool_parallelize_1d(pool, work, 0, 2, PTHREADPOOL_FLAG_YIELD_WORKERS);
    assert(done[0] == 1 && done[1] == 1);
    pthreadpool_destroy(pool);
    return 0;
}
