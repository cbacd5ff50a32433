// real: urcu/userspace-rcu 3849619a288b47677ff8260f02db490b4c4646a6: (headers)
// Two threads push a node each, main pops all: both are there.
#include <assert.h>
#include <pthread.h>

#define _LGPL_SOURCE
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node one, two;

static void *push(void *node) {
    cds_lfs_node_init(node);
    cds_lfs_push(&stack, node);
    return 0;
}

int main(void) {
    pthread_t thread;
    cds_lfs_init(&stack);
    pthread_create(&thread, 0, push, &one);
    push(&two);
    pthread_join(thread, 0);
    struct cds_lfs_head *all = __cds_lfs_pop_all(&stack);
    struct cds_lfs_node *first = &all->node, *second = first->next;
    assert((first == &one && second == &two) || (first == &two && second == &one));
    return 0;
}
