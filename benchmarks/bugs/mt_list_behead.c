// A thread appends an element to a list of one, while main takes all that are there: none is in both, or lost.
#include <arpa/inet.h>
#include <assert.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>
#ifdef __xgen__
#undef __x86_64__
#define __aarch64__
#endif

#include <haproxy/list.h>

static struct mt_list list = MT_LIST_HEAD_INIT(list), first = MT_LIST_HEAD_INIT(first);
static struct mt_list second = MT_LIST_HEAD_INIT(second);

static void *put(void *nothing) {
    MT_LIST_ADDQ(&list, &second);
    return nothing;
}

int main(void) {
    MT_LIST_ADDQ(&list, &first);
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    struct mt_list *taken = MT_LIST_BEHEAD(&list);
    pthread_join(other, 0);
    struct mt_list *left = taken->prev == &second ? &list : &second;
    assert(taken == &first && list.next == left && list.prev == left);
    return 0;
}
