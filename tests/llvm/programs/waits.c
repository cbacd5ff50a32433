#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int ready, go;
int data;

static void *worker(void *unused) {
    while (!atomic_load_explicit(&go, memory_order_acquire))
        ;
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store_explicit(&go, 1, memory_order_release);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
        ;
    assert(data == 1);
    pthread_join(thread, 0);
}
