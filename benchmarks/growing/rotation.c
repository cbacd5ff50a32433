// N threads each turn a number into the next one.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int x;

void *run(void *number) {
    int expected = (long)number;
    atomic_compare_exchange_strong_explicit(&x, &expected, (long)number + 1, memory_order_relaxed,
                                            memory_order_relaxed);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
