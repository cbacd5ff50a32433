#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    int value;
} node;
_Atomic uintptr_t head;

static void *writer(void *unused) {
    node.value = 5;
    atomic_store_explicit(&head, ((uintptr_t)&node ^ 1) << 8, memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    uintptr_t found = atomic_load_explicit(&head, memory_order_acquire);
    if (found)
        assert(((struct node *)((found >> 8) ^ 1))->value == 5);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
