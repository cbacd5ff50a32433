/* include/linux/rculist.h: an element is added, found, unlinked, and after a grace period freed. */
#include <xgen/kernel_test.h>
#include <linux/rculist.h>
struct item { int v; struct list_head l; };
LIST_HEAD(head);
CPU(0, r) { struct item *p; int bad = 0; rcu_read_lock(); list_for_each_entry_rcu(p, &head, l) bad |= p->v == 0; rcu_read_unlock(); BUG_ON(bad); }
CPU(1, add) { struct item *p = kmalloc(sizeof *p, GFP_KERNEL); p->v = 2; list_add_rcu(&p->l, &head); list_del_rcu(&p->l); synchronize_rcu(); kfree(p); }
int main(void) { START(r); START(add); }
