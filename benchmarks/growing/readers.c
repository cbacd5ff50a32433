// N threads read what one writes.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int x;

void *run(void *number) {
    if (!number) atomic_store_explicit(&x, 1, memory_order_relaxed);
    return (void *)(long)(number ? atomic_load_explicit(&x, memory_order_relaxed) : 0);
}

int main(void) {
    pthread_t threads[N + 1];
    for (long i = 0; i < N + 1; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
