// N threads put into a queue of Michael and Scott.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

struct node {
    struct node *_Atomic next;
};
struct node nodes[N + 1];
struct node *_Atomic tail = &nodes[N];

void *run(void *number) {
    struct node *mine = &nodes[(long)number];
    for (;;) {
        struct node *last = atomic_load_explicit(&tail, memory_order_acquire), *none = 0;
        struct node *next = atomic_load_explicit(&last->next, memory_order_acquire);
        if (last != atomic_load_explicit(&tail, memory_order_acquire)) continue;
        if (next) {
            atomic_compare_exchange_strong_explicit(&tail, &last, next, memory_order_release, memory_order_relaxed);
        } else if (atomic_compare_exchange_strong_explicit(&last->next, &none, mine, memory_order_release,
                                                           memory_order_relaxed)) {
            atomic_compare_exchange_strong_explicit(&tail, &last, mine, memory_order_release, memory_order_relaxed);
            return 0;
        }
    }
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
