// real: concurrencykit/ck 11baddcdb8b63ffbf4a545d33585672a4de441c8: (headers)
#include "ck_stack.h"
#include <stdlib.h>

struct entry {
    ck_stack_entry_t link;
    int value;
};
static ck_stack_t stack = CK_STACK_INITIALIZER;

void push(int value) {
    struct entry *entry = malloc(sizeof *entry);
    entry->value = value;
    ck_stack_push_upmc(&stack, &entry->link);
}

int pop(void) {
    struct entry *entry = (struct entry *)ck_stack_pop_upmc(&stack);
    return entry ? entry->value : 0;
}
