// The threads of each block count into memory that all share; the block that is done last reads all the counts.
// xgen: launch count<<<2,2>>>(counts[2], out[1])
// xgen: final out == 4
__device__ unsigned done;

__global__ void count(unsigned *counts, unsigned *out) {
    __shared__ bool last;
    atomicAdd(&counts[threadIdx.x], 1);
    __threadfence();
#ifndef BEFORE
    __syncthreads();
#endif
    if (threadIdx.x == 0)
        last = atomicAdd(&done, 1) == gridDim.x - 1;
    __syncthreads();
    __threadfence();
    if (last && threadIdx.x == 0)
        *out = counts[0] + counts[1];
}
