/* lib/llist.c: llist_del_first by one, beside llist_add */
#include <xgen/kernel_test.h>
#include <linux/llist.h>
struct item { int v; struct llist_node n; } a, b;
LLIST_HEAD(head);
CPU(0, add1) { a.v = 1; llist_add(&a.n, &head); }
CPU(1, add2) { b.v = 2; llist_add(&b.n, &head); }
CPU(2, take) { struct llist_node *n; while ((n = llist_del_first(&head))) BUG_ON(llist_entry(n, struct item, n)->v == 0); }
int main(void) { START(add1); START(add2); START(take); }
