// A lock that is taken and given back by exchanges, around a value that a block hands on.
// xgen: launch work<<<2,1>>>(seen[2])
// xgen: final seen[0] + seen[1] == 1
__device__ int lock, value;

__global__ void work(int *seen) {
    while (atomicExch(&lock, 1) != 0) {
    }
#ifndef BEFORE
    __threadfence();
#endif
    seen[blockIdx.x] = value;
    value = 1;
#ifndef BEFORE
    __threadfence();
#endif
    atomicExch(&lock, 0);
}
