// A ring for several producers: a cell has a number that says whose turn it is. Two blocks put something in, a third
// one takes something out if it is there.
//
// verdict: safe
// verdict: violation race (-D UNSAFE)
// xgen: launch run<<<3,1>>>(taken[1])
// xgen: final taken == 0 || taken == 10 || taken == 11

#include <hip/hip_runtime.h>

#ifdef UNSAFE
#define PUBLISH __ATOMIC_RELAXED
#else
#define PUBLISH __ATOMIC_RELEASE
#endif
#define SCOPE __HIP_MEMORY_SCOPE_AGENT

constexpr unsigned CELLS = 2;
struct Cell {
    unsigned turn;
    int value;
};
__device__ Cell cells[CELLS];
__device__ unsigned head, tail;

__device__ void push(int value) {
    const unsigned at = __hip_atomic_fetch_add(&tail, 1, __ATOMIC_RELAXED, SCOPE);
    Cell &cell = cells[at % CELLS];
    if (__hip_atomic_load(&cell.turn, __ATOMIC_ACQUIRE, SCOPE) != 2 * (at / CELLS))
        return;
    cell.value = value;
    __hip_atomic_store(&cell.turn, 2 * (at / CELLS) + 1, PUBLISH, SCOPE);
}

__device__ int pop() {
    const unsigned at = __hip_atomic_load(&head, __ATOMIC_RELAXED, SCOPE);
    Cell &cell = cells[at % CELLS];
    if (__hip_atomic_load(&cell.turn, __ATOMIC_ACQUIRE, SCOPE) != 2 * (at / CELLS) + 1)
        return 0;
    const int value = cell.value;
    __hip_atomic_store(&cell.turn, 2 * (at / CELLS) + 2, __ATOMIC_RELEASE, SCOPE);
    __hip_atomic_store(&head, at + 1, __ATOMIC_RELAXED, SCOPE);
    return value;
}

__global__ void run(int *taken) {
    if (blockIdx.x < 2)
        push(10 + blockIdx.x);
    else
        *taken = pop();
}
