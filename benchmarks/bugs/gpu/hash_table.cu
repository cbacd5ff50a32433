// Two blocks put an entry each into the same chain of a table, under its lock: both are in it.
// xgen: launch insert<<<2,1>>>(next[2])
// xgen: final chain == 1 && next[0] == 2 && next[1] == 0 || chain == 2 && next[0] == 0 && next[1] == 1
__device__ int lock, chain;

__global__ void insert(int *next) {
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
#ifndef BEFORE
    __threadfence();
#endif
    next[blockIdx.x] = chain;
    chain = blockIdx.x + 1;
#ifndef BEFORE
    __threadfence();
#endif
    atomicExch(&lock, 0);
}
