// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
// Two threads push an entry each; both are there in the end.
#include <assert.h>
#include <pthread.h>

#include "ck_stack.h"

static ck_stack_t stack = CK_STACK_INITIALIZER;
static ck_stack_entry_t entries[2];

static void *put(void *number) {
    ck_stack_push_upmc(&stack, &entries[(long)number]);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, put, (void *)0);
    pthread_create(&b, 0, put, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    ck_stack_entry_t *first = ck_stack_pop_upmc(&stack);
    ck_stack_entry_t *second = ck_stack_pop_upmc(&stack);
    assert(first && second && first != second && !ck_stack_pop_upmc(&stack));
    return 0;
}
