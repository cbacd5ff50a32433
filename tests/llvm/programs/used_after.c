#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused) {
    int *own = malloc(sizeof(int));
    *own = 1;
    free(own);
    *own = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
}
