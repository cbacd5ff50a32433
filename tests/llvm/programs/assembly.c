#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int flag;
int data;

static void *writer(void *unused) {
    int one = 1;
    __asm__("" : "+r"(one));
    data = one;
    atomic_store_explicit(&flag, one, memory_order_release);
    return unused;
}

static void *reader(void *unused) {
    __asm__ volatile("pause" ::: "memory");
    if (atomic_load_explicit(&flag, memory_order_acquire) == 1)
        assert(data == 1);
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, writer, 0);
    pthread_create(&two, 0, reader, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
