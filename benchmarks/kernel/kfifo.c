/* include/linux/kfifo.h: one CPU puts, another one gets, without a lock */
#include <xgen/kernel_test.h>
#include <linux/kfifo.h>
DEFINE_KFIFO(fifo, int, 2);
CPU(0, producer) { kfifo_put(&fifo, 1); kfifo_put(&fifo, 2); }
CPU(1, consumer) { int v; if (kfifo_get(&fifo, &v)) { BUG_ON(v != 1); if (kfifo_get(&fifo, &v)) BUG_ON(v != 2); } }
int main(void) { START(producer); START(consumer); }
