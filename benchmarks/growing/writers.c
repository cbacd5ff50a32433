// N threads write one variable.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int x;

void *run(void *number) {
    atomic_store_explicit(&x, 1 + (long)number, memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
