/* include/linux/seqlock.h: seqlock_t; readers see both or neither. PLAIN: the data is not marked; TWO: two writers */
#include <xgen/kernel_test.h>
#include <linux/seqlock.h>
#ifdef PLAIN
#define GET(v) (v)
#define PUT(v, n) ((v) = (n))
#else
#define GET(v) READ_ONCE(v)
#define PUT(v, n) WRITE_ONCE(v, n)
#endif
DEFINE_SEQLOCK(sl);
int x, y;
CPU(0, w) { write_seqlock(&sl); PUT(x, 1); PUT(y, 1); write_sequnlock(&sl); }
CPU(1, r) { unsigned s; int a, b; do { s = read_seqbegin(&sl); a = GET(x); b = GET(y); } while (read_seqretry(&sl, s)); BUG_ON(a != b); }
#ifdef TWO
CPU(2, w2) { write_seqlock(&sl); PUT(x, GET(x) + 2); PUT(y, GET(y) + 2); write_sequnlock(&sl); }
#endif
int main(void) { START(w); START(r);
#ifdef TWO
  START(w2);
#endif
}
