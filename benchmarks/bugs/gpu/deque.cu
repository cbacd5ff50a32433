// Its owner pushes a task, a thief steals it if it is there: what it gets is the task.
// xgen: launch run<<<2,1>>>(stolen[1])
// xgen: final stolen == 0 || stolen == 7
__device__ volatile int tail;
__device__ int head;
__device__ int tasks[2];

__global__ void run(int *stolen) {
    if (blockIdx.x == 0) {
        tasks[0] = 7;
#ifndef BEFORE
        __threadfence();
#endif
        tail = 1;
    } else {
        const int first = *(volatile int *)&head;
        if (tail > first) {
#ifndef BEFORE
            __threadfence();
#endif
            const int task = tasks[first];
            if (atomicCAS(&head, first, first + 1) == first)
                *stolen = task ? task : -1;
        }
    }
}
