// Two blocks are a cluster: each reads what the other one has left in its shared memory.
//
// verdict: safe
// verdict: violation race (-D BLOCK)
// xgen: launch swap<<<2,2>>>(out[2])
// xgen: final out[0] == 2 && out[1] == 1

#include <cooperative_groups.h>

__global__ void __cluster_dims__(2, 1, 1) swap(int *out) {
    __shared__ int own;
    cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        own = blockIdx.x + 1;
#ifdef BLOCK
    __syncthreads(); // of the threads of the block only
#else
    cluster.sync();
#endif
    if (threadIdx.x == 1)
        out[blockIdx.x] = *cluster.map_shared_rank(&own, cluster.block_rank() ^ 1);
    cluster.sync(); // a block has to be there while others access its memory
}
