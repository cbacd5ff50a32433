#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    int base;
    atomic_int turn;
    int count;
} shared;

static void *worker(void *argument) {
    for (;;) {
        struct shared *own = argument;
        atomic_int *turn = &own->turn;
        if (atomic_exchange_explicit(turn, 1, memory_order_acquire) == own->base)
            break;
    }
    shared.count++;
    atomic_store_explicit(&shared.turn, 0, memory_order_release);
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, &shared);
    pthread_create(&two, 0, worker, &shared);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(shared.count == 2);
}
