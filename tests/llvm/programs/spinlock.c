#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct lock {
    atomic_int held;
};

struct shared {
    struct lock lock;
    int count;
} shared;

static void acquire(struct lock *lock) {
    while (atomic_exchange_explicit(&lock->held, 1, memory_order_acquire))
        ;
}

static void release(struct lock *lock) {
    atomic_store_explicit(&lock->held, 0, memory_order_release);
}

static void *worker(void *argument) {
    struct shared *own = argument;
    acquire(&own->lock);
    own->count++;
    release(&own->lock);
    return 0;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, worker, &shared);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(shared.count == 3);
}
