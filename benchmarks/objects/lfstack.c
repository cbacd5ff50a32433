// real: Taymindis/lfstack a09d7390b9e5ba565e60836ea4b65bef9655fb4d: lfstack.c
#include "lfstack.h"

static lfstack_t stack;

void init(void) {
    lfstack_init(&stack);
}

int push(void *value) {
    return lfstack_push(&stack, value);
}

void *pop(void) {
    return lfstack_single_pop(&stack);
}
