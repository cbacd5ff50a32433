// A thread pops an entry, while another one pops both and pushes the first again: none is there twice.
#include <assert.h>
#include <pthread.h>

#include "ck_stack.h"

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2], *popped;

static void *pop(void *nothing) {
    popped = ck_stack_pop_mpmc(&stack);
    return nothing;
}

int main(void) {
    ck_stack_push_mpmc(&stack, &entries[0]);
    ck_stack_push_mpmc(&stack, &entries[1]);
    pthread_t other;
    pthread_create(&other, 0, pop, 0);
    ck_stack_entry_t *first = ck_stack_pop_mpmc(&stack);
    ck_stack_entry_t *second = ck_stack_pop_mpmc(&stack);
    if (first)
        ck_stack_push_mpmc(&stack, first);
    pthread_join(other, 0);
    for (ck_stack_entry_t *left = ck_stack_pop_mpmc(&stack); left; left = ck_stack_pop_mpmc(&stack))
        assert(left != second && left != popped);
    return 0;
}
