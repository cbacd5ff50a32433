// An MCS lock, which N threads take once.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
    struct node *_Atomic next;
    atomic_int locked;
};
struct node *_Atomic tail;
struct node nodes[N];
int shared;

void *run(void *number) {
    struct node *mine = &nodes[(long)number];
    atomic_store_explicit(&mine->locked, 1, memory_order_relaxed);
    struct node *last = atomic_exchange_explicit(&tail, mine, memory_order_acq_rel);
    if (last) {
        atomic_store_explicit(&last->next, mine, memory_order_release);
        while (atomic_load_explicit(&mine->locked, memory_order_acquire))
            ;
    }
    shared++;
    struct node *next = atomic_load_explicit(&mine->next, memory_order_acquire);
    if (!next) {
        struct node *expected = mine;
        if (atomic_compare_exchange_strong_explicit(&tail, &expected, 0, memory_order_release, memory_order_relaxed))
            return 0;
        while (!(next = atomic_load_explicit(&mine->next, memory_order_acquire)))
            ;
    }
    atomic_store_explicit(&next->locked, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
