// A block hands a message to another one. What is relaxed, or released to its own block only, hands over nothing.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// verdict ptx: violation (-D UNSAFE, as-compiled)
// verdict: violation race (-D NARROW)
// xgen: launch hand_over<<<2,1>>>()

#include <cassert>
#include <cuda/atomic>

#ifdef UNSAFE
constexpr auto RELEASE = cuda::memory_order_relaxed;
#else
constexpr auto RELEASE = cuda::memory_order_release;
#endif
#ifdef NARROW
constexpr auto SCOPE = cuda::thread_scope_block;
#else
constexpr auto SCOPE = cuda::thread_scope_device;
#endif

__device__ int message;
__device__ int flag;

__global__ void hand_over() {
    cuda::atomic_ref<int, SCOPE> ready(flag);
    if (blockIdx.x == 0) {
        message = 42;
        ready.store(1, RELEASE);
    } else if (ready.load(cuda::memory_order_acquire)) {
        assert(message == 42);
    }
}
