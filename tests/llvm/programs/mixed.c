#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef int (*of_one)(int);
typedef int (*of_two)(int, int);

static int next(int value) { return value + 1; }
static int sum(int value, int other) { return value + other; }

static void *functions[2] = {(void *)next, (void *)sum};
static atomic_int chosen;

static void *worker(void *unused) {
    int which = atomic_load(&chosen);
    int value = which ? ((of_two)functions[which])(1, 2) : ((of_one)functions[which])(1);
    assert(value == (which ? 3 : 2));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&chosen, 1);
    pthread_join(thread, 0);
}
