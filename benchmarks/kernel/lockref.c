/* lib/lockref.c: a count that is changed with its lock's word, beside one who holds the lock */
#include <xgen/kernel_test.h>
#include <linux/lockref.h>
struct lockref ref;
int dead, seen;
CPU(0, get) { if (lockref_get_not_dead(&ref)) seen = 1; }
CPU(1, put) { if (!lockref_put_or_lock(&ref)) { dead = 1; lockref_mark_dead(&ref); spin_unlock(&ref.lock); } }
int main(void) { spin_lock_init(&ref.lock); ref.count = 1; pthread_t t1 = START(get), t2 = START(put); JOIN(t1); JOIN(t2); BUG_ON(seen && dead); }
