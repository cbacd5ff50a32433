#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int values[2] = {3, 4};

static void *worker(void *argument) {
    int *own = argument;
    *own *= 2;
    return own;
}

int main(void) {
    pthread_t threads[2];
    int sum = 0;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, worker, &values[i]);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        sum += *(int *)result;
    }
    assert(sum == 14);
}
