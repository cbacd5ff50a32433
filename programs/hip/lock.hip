// A lock that is taken and given back by exchanges, as in many kernels. Without the fence in `lock`, the next block may
// not see what was done under the lock; who does not give it back keeps the others waiting.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// verdict: violation await (-D KEPT)
// xgen: launch work<<<3,1>>>()
// xgen: final counter == 3

#include <hip/hip_runtime.h>

__device__ int taken, counter;

__device__ void lock() {
    while (atomicExch(&taken, 1)) {
    }
#ifndef UNSAFE
    __threadfence();
#endif
}

__device__ void unlock() {
    __threadfence();
#ifndef KEPT
    atomicExch(&taken, 0);
#endif
}

__global__ void work() {
    lock();
    counter = counter + 1;
    unlock();
}
