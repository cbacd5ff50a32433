// A thread appends an element to a list, while main deletes the one that is there: the new one is left.
#include <assert.h>
#include <pthread.h>

#include <common/config.h>
#include <common/hathreads.h>
#include <common/mini-clist.h>

static struct list list = LIST_HEAD_INIT(list), first, second;

static void *put(void *nothing) {
    LIST_ADDQ_LOCKED(&list, &second);
    return nothing;
}

int main(void) {
    LIST_ADDQ_LOCKED(&list, &first);
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    LIST_DEL_LOCKED(&first);
    pthread_join(other, 0);
    assert(list.n == &second && list.p == &second && second.n == &list && second.p == &list);
    return 0;
}
