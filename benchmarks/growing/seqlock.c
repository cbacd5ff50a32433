// N threads read what one writes under a sequence lock.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

#ifndef N
#define N 3
#endif

atomic_int sequence, x, y;

void *run(void *number) {
    if (!number) {
        atomic_store_explicit(&sequence, 1, memory_order_relaxed);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        atomic_store_explicit(&y, 1, memory_order_relaxed);
        atomic_store_explicit(&sequence, 2, memory_order_release);
        return 0;
    }
    int before = atomic_load_explicit(&sequence, memory_order_acquire);
    int first = atomic_load_explicit(&x, memory_order_relaxed), second = atomic_load_explicit(&y, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    int behind = atomic_load_explicit(&sequence, memory_order_relaxed);
    if (before == behind && before % 2 == 0) assert(first == second);
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    for (long i = 0; i < N + 1; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
