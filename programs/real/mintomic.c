// real: mintomic/mintomic 078a48de74253b496c0d6d0df35a245369844c2b: (headers)
// Two threads count; one of them sees what the other has counted before.
#include <assert.h>
#include <pthread.h>

#include <mintomic/mintomic.h>

static mint_atomic32_t counter;

static void *count(void *nothing) {
    mint_fetch_add_32_relaxed(&counter, 1);
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    uint32_t before = mint_fetch_add_32_relaxed(&counter, 1);
    assert(before <= 1);
    pthread_join(thread, 0);
    assert(mint_load_32_relaxed(&counter) == 2);
    return 0;
}
