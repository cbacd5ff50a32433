// Lamport's bakery with N customers.
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

atomic_int choosing[N], number[N];
int shared;

void *run(void *argument) {
    long me = (long)argument;
    int most = 0;
    atomic_store(&choosing[me], 1);
    for (int i = 0; i < N; i++) {
        int other = atomic_load(&number[i]);
        if (other > most) most = other;
    }
    atomic_store(&number[me], most + 1);
    atomic_store(&choosing[me], 0);
    for (int i = 0; i < N; i++) {
        if (i == me) continue;
        while (atomic_load(&choosing[i]))
            ;
        int other;
        do
            other = atomic_load(&number[i]);
        while (other && (other < most + 1 || (other == most + 1 && i < me)));
    }
    shared++;
    atomic_store(&number[me], 0);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) pthread_create(&threads[i], 0, run, (void *)i);
    return 0;
}
