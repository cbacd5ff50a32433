// One kernel adds up an array: each block leaves the sum of its part, and the block that comes last adds these up. It
// needs a fence before it says that it is there, and the last one needs one before it reads what the others have left.
//
// verdict: safe
// verdict: violation race (-D NOT_BEFORE)
// verdict: violation race (-D NOT_BEHIND)
// verdict: violation race (-D NOT_TOGETHER)
// xgen: launch sum<<<2,2>>>(in[4]={1,2,3,4}, part[2], out[1])
// xgen: final out == 10

#include <hip/hip_runtime.h>

__device__ unsigned arrived;

__global__ void sum(const int *in, int *part, int *out) {
    __shared__ int own[2];
    __shared__ bool last;
    own[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
#ifndef NOT_TOGETHER
    __syncthreads();
#endif
    if (threadIdx.x == 0) {
        part[blockIdx.x] = own[0] + own[1];
#ifndef NOT_BEFORE
        __threadfence();
#endif
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
#ifndef NOT_BEHIND
        __threadfence();
#endif
        int total = 0;
        for (unsigned block = 0; block < gridDim.x; block++)
            total += part[block];
        *out = total;
    }
}
