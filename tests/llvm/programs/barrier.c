#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

pthread_barrier_t barrier;
int first, second;

static void *left(void *unused) {
    first = 1;
    pthread_barrier_wait(&barrier);
    assert(second == 2);
    return unused;
}

static void *right(void *unused) {
    second = 2;
    pthread_barrier_wait(&barrier);
    assert(first == 1);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&one, 0, left, 0);
    pthread_create(&two, 0, right, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
