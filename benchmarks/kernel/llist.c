/* lib/llist.c: two add, one takes all; what it takes has its value */
#include <xgen/kernel_test.h>
#include <linux/llist.h>
struct item { int v; struct llist_node n; } a, b;
LLIST_HEAD(head);
CPU(0, add1) { a.v = 1; llist_add(&a.n, &head); }
CPU(1, add2) { b.v = 2; llist_add(&b.n, &head); }
CPU(2, take) { struct llist_node *l = llist_del_all(&head); struct item *p, *q; llist_for_each_entry_safe(p, q, l, n) BUG_ON(p->v == 0); }
int main(void) { START(add1); START(add2); START(take); }
