// Two threads append an element each to a list: both are in it.
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

#include <common/config.h>
#include <common/hathreads.h>
#include <common/mini-clist.h>

static struct list list = LIST_HEAD_INIT(list), first, second;

static void *put(void *nothing) {
    LIST_ADDQ_LOCKED(&list, &first);
    return nothing;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, put, 0);
    LIST_ADDQ_LOCKED(&list, &second);
    pthread_join(other, 0);
    struct list *head = list.n, *tail = list.p;
    assert(head != tail && head != &list && tail != &list);
    assert(head->n == tail && tail->p == head && head->p == &list && tail->n == &list);
    return 0;
}
