/* include/linux/refcount.h: the last one out frees what the others have written to */
#include <xgen/kernel_test.h>
#include <linux/refcount.h>
struct obj { refcount_t r; int d[2]; } *o;
static void put(int i) { o->d[i] = i + 1; if (refcount_dec_and_test(&o->r)) { BUG_ON(o->d[0] != 1 || o->d[1] != 2); kfree(o); } }
CPU(0, a) { put(0); }
CPU(1, b) { put(1); }
int main(void) { o = kzalloc(sizeof *o, GFP_KERNEL); refcount_set(&o->r, 2); START(a); START(b); }
