#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int limit = 3;
atomic_int count;

static void *worker(void *unused) {
    for (int i = 0; i < limit; i++)
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    limit = 3;
    pthread_join(thread, 0);
}
