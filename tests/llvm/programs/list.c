#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    atomic_int value;
} nodes[3];
_Atomic(struct node *) head;

static void *writer(void *unused) {
    for (int i = 0; i < 3; i++)
        nodes[i].next = i < 2 ? &nodes[i + 1] : 0;
    atomic_store_explicit(&nodes[1].value, 5, memory_order_relaxed);
    atomic_store_explicit(&head, &nodes[0], memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    int sum = 0;
    for (struct node *n = atomic_load_explicit(&head, memory_order_acquire); n; n = n->next)
        sum += atomic_load_explicit(&n->value, memory_order_relaxed);
    assert(sum == 0 || sum == 5);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
