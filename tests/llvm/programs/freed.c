#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    int unused;
    atomic_int used;
} *pair;

static void *worker(void *unused) {
    atomic_fetch_add_explicit(&pair->used, 1, memory_order_relaxed);
    return unused;
}

static void *owner(void *unused) {
    free(pair);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pair = malloc(sizeof(struct pair));
    pair->used = 0;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, owner, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
