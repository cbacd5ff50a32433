#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

_Atomic(struct node *) top;

static void push(int value) {
    struct node *node = malloc(sizeof(struct node));
    node->value = value;
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        node->next = old;
    while (!atomic_compare_exchange_weak_explicit(&top, &old, node, memory_order_release, memory_order_relaxed));
}

static int pop(void) {
    struct node *old = atomic_load_explicit(&top, memory_order_acquire);
    while (old)
        if (atomic_compare_exchange_strong_explicit(&top, &old, old->next, memory_order_acquire, memory_order_acquire))
            return old->value;
    return -1;
}

static void *worker(void *argument) {
    push((int)(long)argument);
    int value = pop();
    assert(value == 1 || value == 2);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, (void *)1);
    pthread_create(&two, 0, worker, (void *)2);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
