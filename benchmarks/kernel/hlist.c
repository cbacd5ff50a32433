/* include/linux/rculist.h: hlist, replaced in place */
#include <xgen/kernel_test.h>
#include <linux/rculist.h>
struct item { int v; struct hlist_node l; };
HLIST_HEAD(head);
struct item first = { 1 }, second;
CPU(0, r) { struct item *p; int bad = 0; rcu_read_lock(); hlist_for_each_entry_rcu(p, &head, l) bad |= p->v == 0; rcu_read_unlock(); BUG_ON(bad); }
CPU(1, rep) { second.v = 2; hlist_replace_rcu(&first.l, &second.l); synchronize_rcu(); first.v = 0; }
int main(void) { hlist_add_head_rcu(&first.l, &head); START(r); START(rep); }
