// Blocks take turns by tickets. Without the fence in `unlock`, the next one may not see what was done under the lock.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// verdict: safe (schedule obe)
// verdict: violation await (schedule hsa)
// xgen: launch work<<<3,1>>>()
// xgen: final counter == 3

#include <cuda/atomic>

__device__ cuda::atomic<unsigned, cuda::thread_scope_device> next, serving;
__device__ int counter;

__device__ void lock() {
    const unsigned mine = next.fetch_add(1, cuda::memory_order_relaxed);
    while (serving.load(cuda::memory_order_acquire) != mine) {
    }
}

__device__ void unlock() {
    const unsigned now = serving.load(cuda::memory_order_relaxed);
#ifdef UNSAFE
    serving.store(now + 1, cuda::memory_order_relaxed);
#else
    serving.store(now + 1, cuda::memory_order_release);
#endif
}

__global__ void work() {
    lock();
    counter = counter + 1;
    unlock();
}
