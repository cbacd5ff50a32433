// Two threads add to each other's number N times.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int x[2] = {1, 1};

void *run(void *number) {
    long me = (long)number;
    for (int i = 0; i < N; i++) {
        int mine = atomic_load_explicit(&x[me], memory_order_relaxed);
        int other = atomic_load_explicit(&x[1 - me], memory_order_relaxed);
        atomic_store_explicit(&x[me], mine + other, memory_order_relaxed);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
