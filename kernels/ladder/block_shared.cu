/* block_shared (histogram): a table a block in shared memory, added to the whole
   at the end.

   Change from global_atomic: the atomics of the loop go to the block's own table.
   Better: only the block's threads wait for each other, at shared memory's speed;
   global memory sees one atomic a bin and block.
   Still wrong: where most elements fall in few bins, the block's warps still wait
   for each other.  The bins must fit into shared memory.
   Work n atomics on shared memory, bins * blocks on global; barriers 2 a block.
   Limit: atomics of shared memory on one address; for bytes, finding the bins.

   32 bits count a block's elements as long as it has below 2^32 of them.  */

#include "ladder.h"

template <class X>
__global__ void block_shared (histogram_args<X> a)
{
  unsigned *table = shared<unsigned> ();
  int64_t me = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, all = (int64_t) gridDim.x * blockDim.x;

  for (int k = threadIdx.x; k < a.bins; k += blockDim.x)
    table[k] = 0;
  __syncthreads ();
  for (int64_t i = me; i < a.n; i += all)
    {
      int k = bin_of (a, a.x[i]);
      if (k >= 0)
        atomicAdd (&table[k], 1u);
    }
  __syncthreads ();
  for (int k = threadIdx.x; k < a.bins; k += blockDim.x)
    if (table[k] != 0)
      atomicAdd (&a.counts[k], (unsigned long long) table[k]);
}

LADDER_VARIANT (block_shared)
{
  v.rank = 320;
  v.aliases = "V per-block";
  v.idea = "a table a block in shared memory";
  v.lesson = "privatisation: count apart, add up at the end";
  v.wrong = "the block's warps wait for each other where few bins take most";
  v.source = "V, histogram, per block";
  v.grid_stride = true;
  v.shared_per_bin = 1;
  HISTOGRAM_KERNELS (v, block_shared);
}
