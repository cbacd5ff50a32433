// A thread deletes an element that may not be in the list yet, while another one appends it: they agree where it is.
#include <assert.h>
#include <pthread.h>

#include <import/mt_list.h>

static struct mt_list list = MT_LIST_HEAD_INIT(list), element = MT_LIST_HEAD_INIT(element);
static long deleted;

static void *delete(void *nothing) {
    deleted = mt_list_delete(&element);
    return nothing;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, delete, 0);
    long added = mt_list_try_append(&list, &element);
    pthread_join(other, 0);
    assert((element.next == &list) == (list.next == &element));
    assert((list.next == &element) == (added && !deleted));
    return 0;
}
