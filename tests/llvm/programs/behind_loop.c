#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready, again;

static void *writer(void *unused) {
    atomic_store(&again, 1);
    atomic_store(&ready, 1);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load(&ready)) {
        int seen[2];
        int *volatile where = seen;
        seen[0] = 5;
        while (atomic_exchange(&again, 0))
            seen[0] = 7;
        assert(seen[0] == 7 && where == seen);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
