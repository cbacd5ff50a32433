// A lock that N threads look at before they take it.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int locked;
int shared;

void *run(void *unused) {
    do
        while (atomic_load_explicit(&locked, memory_order_relaxed))
            ;
    while (atomic_exchange_explicit(&locked, 1, memory_order_acquire));
    shared++;
    atomic_store_explicit(&locked, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
