#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct three {
    short a, b, c;
};

atomic_int number;

struct three more(struct three t) {
    t.b += 1;
    return t;
}

void *run(void *argument) {
    atomic_store_explicit(&number, -3, memory_order_relaxed);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    short a = (short)atomic_load_explicit(&number, memory_order_relaxed);
    struct three found = more((struct three){a, 5, -7});
    assert(found.b == 6 && found.c == -7 && (found.a == 0 || found.a == -3));
    pthread_join(thread, 0);
    return 0;
}
