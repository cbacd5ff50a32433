// Store buffering of N threads in a ring.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int x[N];

void *run(void *number) {
    long me = (long)number;
    atomic_store_explicit(&x[me], 1, memory_order_relaxed);
    return (void *)(long)atomic_load_explicit(&x[(me + 1) % N], memory_order_relaxed);
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
