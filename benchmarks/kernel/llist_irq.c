/* An interrupt adds to the list that the task it interrupts adds to and empties. */
#include <xgen/kernel_test.h>
#include <linux/llist.h>

struct item { int value; struct llist_node node; } one = { .value = 1 }, two = { .value = 2 };
LLIST_HEAD(list);
int came, sum;

INTERRUPT(0, adds) {
	llist_add(&two.node, &list);
	came = 1;
}

CPU(0, task) {
	struct item *at, *next;
	llist_add(&one.node, &list);
	local_irq_disable();
	llist_for_each_entry_safe(at, next, llist_del_all(&list), node)
		sum += at->value;
	assert(sum == 1 + 2 * came);
	local_irq_enable();
}

int main(void) { START(task); }
