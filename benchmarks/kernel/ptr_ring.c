/* include/linux/ptr_ring.h: one CPU produces, another one consumes what the pointers lead to; N: how many */
#include <xgen/kernel_test.h>
#include <linux/ptr_ring.h>
#ifndef N
#define N 2
#endif
int first, second;
struct ptr_ring ring;
CPU(0, producer) {
  first = 1;
  if (!ptr_ring_produce(&ring, &first) && N == 2) { second = 2; ptr_ring_produce(&ring, &second); } }
CPU(1, consumer) {
  int *got = ptr_ring_consume(&ring);
  if (got) {
    BUG_ON(*got != 1);
    if (N == 2) { got = ptr_ring_consume(&ring); BUG_ON(got && *got != 2); } } }
int main(void) { BUG_ON(ptr_ring_init(&ring, 2, GFP_KERNEL)); START(producer); START(consumer); }
