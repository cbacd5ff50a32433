// A block hands a message to another one. What is relaxed, or released to its own block only, hands over nothing.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// verdict: violation race (-D NARROW)
// xgen: launch hand_over<<<2,1>>>()

#include <hip/hip_runtime.h>

#include <cassert>

#ifdef UNSAFE
#define RELEASE __ATOMIC_RELAXED
#else
#define RELEASE __ATOMIC_RELEASE
#endif
#ifdef NARROW
#define SCOPE __HIP_MEMORY_SCOPE_WORKGROUP
#else
#define SCOPE __HIP_MEMORY_SCOPE_AGENT
#endif

__device__ int message;
__device__ int flag;

__global__ void hand_over() {
    if (blockIdx.x == 0) {
        message = 42;
        __hip_atomic_store(&flag, 1, RELEASE, SCOPE);
    } else if (__hip_atomic_load(&flag, __ATOMIC_ACQUIRE, SCOPE)) {
        assert(message == 42);
    }
}
