#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct handler {
    int (*of)(int);
    int times;
};

static int twice(int value) { return 2 * value; }
static int square(int value) { return value * value; }
static int next(int value) { return value + 1; }

static struct handler handlers[3] = {{twice, 1}, {square, 2}, {next, 1}};
static atomic_int wanted;

static void *worker(void *unused) {
    int value = 3;
    if (atomic_load(&wanted))
        for (struct handler *each = handlers; each < handlers + 3; each++) {
            value = each->of(value);
            each->times++;
        }
    assert(value == 3 || value == 37);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    atomic_store(&wanted, 1);
    pthread_join(thread, 0);
}
