// A thread reads two numbers under a lock that many may read by, main writes both: the reader sees both or none.
#include <assert.h>
#include <pthread.h>

#include <import/plock.h>

static unsigned long lock;
static int first, second;

static void *look(void *nothing) {
    pl_take_r(&lock);
    int seen = first;
    assert(second == seen);
    pl_drop_r(&lock);
    return nothing;
}

int main(void) {
    pthread_t reader;
    pthread_create(&reader, 0, look, 0);
    pl_take_w(&lock);
    first = 1;
    second = 1;
    pl_drop_w(&lock);
    pthread_join(reader, 0);
    return 0;
}
