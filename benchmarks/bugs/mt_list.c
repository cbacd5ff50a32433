// Two threads append the same element to two lists: it is in one of them.
#include <assert.h>
#include <pthread.h>

#include <haproxy/list.h>

static struct mt_list first = MT_LIST_HEAD_INIT(first), second = MT_LIST_HEAD_INIT(second);
static struct mt_list element = MT_LIST_HEAD_INIT(element);
static int added[2];

static void *put(void *nothing) {
    added[0] = MT_LIST_TRY_ADDQ(&first, &element);
    return nothing;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    added[1] = MT_LIST_TRY_ADDQ(&second, &element);
    pthread_join(other, 0);
    assert(added[0] + added[1] == 1);
    return 0;
}
