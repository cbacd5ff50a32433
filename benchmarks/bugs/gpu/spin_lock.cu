// A lock that is taken by compare-and-swap and given back by an exchange: two blocks add to a sum under it.
// xgen: launch add<<<2,1>>>(sum[1])
// xgen: final sum == 2
__device__ int lock;

__global__ void add(int *sum) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
#ifndef BEFORE
    __threadfence();
#endif
    *sum += 1;
#ifndef BEFORE
    __threadfence();
#endif
    atomicExch(&lock, 0);
}
