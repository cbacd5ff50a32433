// N threads push onto a Treiber stack.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
    struct node *next;
};
struct node *_Atomic top;
struct node nodes[N];

void *run(void *number) {
    struct node *mine = &nodes[(long)number];
    struct node *seen = atomic_load_explicit(&top, memory_order_acquire);
    do
        mine->next = seen;
    while (!atomic_compare_exchange_strong_explicit(&top, &seen, mine, memory_order_acq_rel, memory_order_acquire));
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
