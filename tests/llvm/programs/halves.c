#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

union both {
    long whole;
    int half[2];
} both;
atomic_int flag;

static void *writer(void *unused) {
    both.whole = 0x200000001;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(both.half[0] == 1 && both.half[1] == 2);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
