// Peterson's lock, which two threads take N times.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int wants[2], turn;
int shared;

void *run(void *argument) {
    long me = (long)argument, other = 1 - me;
    for (int i = 0; i < N; i++) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            ;
        shared++;
        atomic_store(&wants[me], 0);
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
