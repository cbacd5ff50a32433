// real: Taymindis/lfstack a09d7390b9e5ba565e60836ea4b65bef9655fb4d: lfstack.c
// One thread puts in a number, and main takes one out; there is one.
#include <assert.h>
#include <pthread.h>

#include "lfstack.h"

static lfstack_t stack;
static int one = 1;

static void *put(void *nothing) {
    assert(lfstack_push(&stack, &one) == 0);
    return nothing;
}

int main(void) {
    pthread_t thread;
    assert(lfstack_init(&stack) == 0);
    pthread_create(&thread, 0, put, 0);
    int *got = lfstack_single_pop(&stack);
    pthread_join(thread, 0);
    if (!got)
        got = lfstack_single_pop(&stack);
    assert(got == &one);
    return 0;
}
