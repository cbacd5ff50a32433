#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int own;

static void *worker(void *unused) {
    own = 1;
    own++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = own;
    assert(seen <= 2);
    pthread_join(thread, 0);
}
