#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int own;

static void *worker(void *unused) {
    for (int i = 0; i < 3; i++)
        own += i;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(own == 3);
}
