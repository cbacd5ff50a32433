// A ring for several producers: a cell has a number that says whose turn it is. Two blocks put something in, a third
// one takes something out if it is there.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// xgen: launch run<<<3,1>>>(taken[1])
// xgen: final taken == 0 || taken == 10 || taken == 11

#include <cuda/atomic>

#ifdef UNSAFE
constexpr auto PUBLISH = cuda::memory_order_relaxed;
#else
constexpr auto PUBLISH = cuda::memory_order_release;
#endif

constexpr unsigned CELLS = 2;
struct Cell {
    cuda::atomic<unsigned, cuda::thread_scope_device> turn;
    int value;
};
__device__ Cell cells[CELLS];
__device__ cuda::atomic<unsigned, cuda::thread_scope_device> head, tail;

__device__ void push(int value) {
    const unsigned at = tail.fetch_add(1, cuda::memory_order_relaxed);
    Cell &cell = cells[at % CELLS];
    if (cell.turn.load(cuda::memory_order_acquire) != 2 * (at / CELLS))
        return;
    cell.value = value;
    cell.turn.store(2 * (at / CELLS) + 1, PUBLISH);
}

__device__ int pop() {
    const unsigned at = head.load(cuda::memory_order_relaxed);
    Cell &cell = cells[at % CELLS];
    if (cell.turn.load(cuda::memory_order_acquire) != 2 * (at / CELLS) + 1)
        return 0;
    const int value = cell.value;
    cell.turn.store(2 * (at / CELLS) + 2, cuda::memory_order_release);
    head.store(at + 1, cuda::memory_order_relaxed);
    return value;
}

__global__ void run(int *taken) {
    if (blockIdx.x < 2)
        push(10 + blockIdx.x);
    else
        *taken = pop();
}
