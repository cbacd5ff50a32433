/* A seqcount that is written on a CPU whose interrupts read it: they are off meanwhile, else a reader waits for ever. */
#include <xgen/kernel_test.h>
#include <linux/seqlock.h>

seqcount_t seq = SEQCNT_ZERO(seq);
int x, y;

INTERRUPT(0, reader) {
	unsigned int start;
	int a, b;
	do {
		start = read_seqcount_begin(&seq);
		a = READ_ONCE(x);
		b = READ_ONCE(y);
	} while (read_seqcount_retry(&seq, start));
	assert(a == b);
}

CPU(0, writer) {
	local_irq_disable();
	write_seqcount_begin(&seq);
	WRITE_ONCE(x, 1);
	WRITE_ONCE(y, 1);
	write_seqcount_end(&seq);
	local_irq_enable();
}

int main(void) { START(writer); }
