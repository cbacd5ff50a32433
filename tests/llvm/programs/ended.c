#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *worker(void *argument) {
    *(int *)argument = 1;
    return 0;
}

static pthread_t started(void) {
    int local = 0;
    pthread_t thread;
    pthread_create(&thread, 0, worker, &local);
    return thread;
}

int main(void) {
    pthread_t thread = started();
    pthread_join(thread, 0);
}
