/* seqcount latch: the reader never waits, and sees one whole version. RECENT: the plain increments are annotated, as in
 * "kcsan, seqlock: Support seqcount_latch_t" */
#include <xgen/kernel_test.h>
#include <linux/seqlock.h>
seqcount_latch_t s = SEQCNT_LATCH_ZERO(s);
struct { int x, y; } d[2];
CPU(0, w) {
  raw_write_seqcount_latch(&s); WRITE_ONCE(d[0].x, 1); WRITE_ONCE(d[0].y, 1);
  raw_write_seqcount_latch(&s); WRITE_ONCE(d[1].x, 1); WRITE_ONCE(d[1].y, 1); }
CPU(1, r) { unsigned q, i; int a, b; do { q = raw_read_seqcount_latch(&s); i = q & 1; a = READ_ONCE(d[i].x); b = READ_ONCE(d[i].y); } while (read_seqcount_latch_retry(&s, q)); BUG_ON(a != b); }
int main(void) { START(w); START(r); }
