// One thread hands N items to another through a ring of two.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int head, tail;
int items[2];

void *run(void *number) {
    for (int i = 0; i < N; i++) {
        if (number) {
            while (atomic_load_explicit(&head, memory_order_acquire) == i)
                ;
            if (items[i % 2] != i) return (void *)1;
            atomic_store_explicit(&tail, i + 1, memory_order_release);
        } else {
            while (i - atomic_load_explicit(&tail, memory_order_acquire) == 2)
                ;
            items[i % 2] = i;
            atomic_store_explicit(&head, i + 1, memory_order_release);
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
