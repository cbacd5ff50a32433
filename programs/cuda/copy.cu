// Each thread copies a number into shared memory in the background, and takes that of the other one when the barrier
// says that the copies are over.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// xgen: launch swap<<<1,2>>>(in[2]={5,6}, out[2])
// xgen: final out[0] == 6 && out[1] == 5

#include <cuda/barrier>

__global__ void swap(const int *in, int *out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int copies[2];
    const int self = threadIdx.x;
    if (self == 0)
        init(&barrier, 2);
    __syncthreads();
    cuda::memcpy_async(&copies[self], &in[self], cuda::aligned_size_t<4>(4), barrier);
#ifdef UNSAFE
    __syncthreads();
#else
    barrier.arrive_and_wait();
#endif
    out[self] = copies[1 - self];
}
