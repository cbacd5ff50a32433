// Transactions take a lock if it is free, and give it back by a plain store behind what they have done.
// xgen: launch pay<<<2,1>>>(paid[2])
// xgen: final balance == paid[0] + paid[1]
__device__ int lock, balance;

__global__ void pay(int *paid) {
    if (atomicCAS(&lock, 0, 1) == 0) {
#ifndef BEFORE
        __threadfence();
#endif
        balance += 1;
        paid[blockIdx.x] = 1;
#ifdef BEFORE
        *(volatile int *)&lock = 0;
#else
        __threadfence();
        atomicExch(&lock, 0);
#endif
    }
}
