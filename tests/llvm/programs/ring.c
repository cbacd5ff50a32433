#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SIZE = 2, VALUES = 2 };

struct ring {
    atomic_int head, tail;
    int slots[SIZE];
} ring;

static void *producer(void *unused) {
    int head_seen = 0;
    for (int i = 1; i <= VALUES; i++) {
        int tail = atomic_load_explicit(&ring.tail, memory_order_relaxed);
        while (tail - head_seen == SIZE)
            head_seen = atomic_load_explicit(&ring.head, memory_order_acquire);
        ring.slots[tail % SIZE] = i;
        atomic_store_explicit(&ring.tail, tail + 1, memory_order_release);
    }
    return unused;
}

static void *consumer(void *unused) {
    int tail_seen = 0;
    for (int i = 1; i <= VALUES; i++) {
        int head = atomic_load_explicit(&ring.head, memory_order_relaxed);
        while (tail_seen == head)
            tail_seen = atomic_load_explicit(&ring.tail, memory_order_acquire);
        assert(ring.slots[head % SIZE] == i);
        atomic_store_explicit(&ring.head, head + 1, memory_order_release);
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, producer, 0);
    pthread_create(&two, 0, consumer, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
