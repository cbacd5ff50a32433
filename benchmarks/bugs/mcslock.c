// Two threads take a lock in turn, and count under it: each of them gets it.
#include <assert.h>
#include <pthread.h>

#include "rte_mcslock.h"

static rte_mcslock_t *lock;
static int count;

static void *add(void *nothing) {
    rte_mcslock_t mine;
    rte_mcslock_lock(&lock, &mine);
    count++;
    rte_mcslock_unlock(&lock, &mine);
    return nothing;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(count == 2);
    return 0;
}
