#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

float weight = 0.5f;
atomic_int count;

static void *worker(void *unused) {
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    weight = 1.5f;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(count == 1);
}
