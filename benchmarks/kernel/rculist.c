/* include/linux/rculist.h: an element is added, found, unlinked, and after a grace period used for something else. */
#include <xgen/kernel_test.h>
#include <linux/rculist.h>
struct item { int v; struct list_head l; };
LIST_HEAD(head);
struct item first = { 1 }, second;
CPU(0, r) { struct item *p; int bad = 0; rcu_read_lock(); list_for_each_entry_rcu(p, &head, l) bad |= p->v == 0; rcu_read_unlock(); BUG_ON(bad); }
CPU(1, add) { second.v = 2; list_add_rcu(&second.l, &head); list_del_rcu(&second.l); synchronize_rcu(); second.v = 0; }
int main(void) { list_add_tail_rcu(&first.l, &head); START(r); START(add); }
