// Blocks wait for each other by a number that each one adds to: what was written before is seen behind it.
// xgen: launch step<<<2,1>>>(left[2], right[2])
// xgen: final right[0] == 2 && right[1] == 1
__device__ int arrived;

__global__ void step(int *left, int *right) {
    left[blockIdx.x] = blockIdx.x + 1;
#ifndef BEFORE
    __threadfence();
#endif
    atomicAdd(&arrived, 1);
    while (atomicCAS(&arrived, 2, 2) != 2) {
    }
#ifndef BEFORE
    __threadfence();
#endif
    right[blockIdx.x] = left[1 - blockIdx.x];
}
