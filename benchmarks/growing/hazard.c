// N readers protect what one thread takes away.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>

#ifndef N
#define N 3
#endif

atomic_int pointer, hazards[N], freed;

void *run(void *number) {
    long me = (long)number;
    if (me == N) {
        atomic_store(&pointer, 1);
        for (int i = 0; i < N; i++)
            if (atomic_load(&hazards[i])) return 0;
        atomic_store_explicit(&freed, 1, memory_order_release);
        return 0;
    }
    atomic_store(&hazards[me], 1);
    if (!atomic_load(&pointer)) assert(!atomic_load_explicit(&freed, memory_order_acquire));
    atomic_store_explicit(&hazards[me], 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t threads[N + 1];
    for (long i = 0; i < N + 1; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
