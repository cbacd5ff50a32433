// real: urcu/userspace-rcu 3849619a288b47677ff8260f02db490b4c4646a6: (headers)
// A thread puts a node into the wait-free queue while main takes one out: none, or that one.
#include <assert.h>
#include <pthread.h>

#define _LGPL_SOURCE
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct item {
    struct cds_wfcq_node node;
    int number;
} item;

static void *put(void *nothing) {
    cds_wfcq_node_init(&item.node);
    item.number = 1;
    cds_wfcq_enqueue(&head, &tail, &item.node);
    return nothing;
}

int main(void) {
    pthread_t thread;
    cds_wfcq_init(&head, &tail);
    pthread_create(&thread, 0, put, 0);
    struct cds_wfcq_node *got = __cds_wfcq_dequeue_blocking(&head, &tail);
    if (got)
        assert(caa_container_of(got, struct item, node)->number == 1);
    pthread_join(thread, 0);
    return 0;
}
