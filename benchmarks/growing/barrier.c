// N threads wait for the last one of them.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int left = N, open;

void *run(void *unused) {
    if (atomic_fetch_sub_explicit(&left, 1, memory_order_acq_rel) == 1)
        atomic_store_explicit(&open, 1, memory_order_release);
    else
        while (!atomic_load_explicit(&open, memory_order_acquire))
            ;
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
