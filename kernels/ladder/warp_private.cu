/* warp_private (histogram): a table a warp.

   Change from block_shared: as many tables as the block has warps, which are
   added up at the end.
   Better: only the 32 lanes of a warp meet at a counter.
   Still wrong: the tables take as many times the shared memory, so fewer blocks
   run at once or fewer bins fit; the lanes of a warp still meet.
   Work n atomics on shared memory, bins * blocks on global; barriers 2 a block.
   Limit: finding the bins; with many bins, too few warps at work.  */

#include "ladder.h"

template <class X>
__global__ void warp_private (histogram_args<X> a)
{
  unsigned *tables = shared<unsigned> (), *table = tables + threadIdx.x / 32 * a.bins;
  int warps = blockDim.x / 32;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, all = (int64_t) gridDim.x * blockDim.x;

  for (int k = threadIdx.x; k < warps * a.bins; k += blockDim.x)
    tables[k] = 0;
  __syncthreads ();
  for (int64_t i = me; i < a.n; i += all)
    {
      int k = bin_of (a, a.x[i]);
      if (k >= 0)
        atomicAdd (&table[k], 1u);
    }
  __syncthreads ();
  for (int k = threadIdx.x; k < a.bins; k += blockDim.x)
    {
      unsigned sum = 0;
      for (int w = 0; w < warps; w++)
        sum += tables[w * a.bins + k];
      if (sum != 0)
        atomicAdd (&a.counts[k], (unsigned long long) sum);
    }
}

LADDER_VARIANT (warp_private)
{
  v.rank = 330;
  v.aliases = "V per-warp";
  v.idea = "a table a warp in shared memory";
  v.lesson = "less contention for more memory";
  v.wrong = "the tables take shared memory: fewer blocks at once, or fewer bins";
  v.source = "V, histogram, per warp";
  v.grid_stride = true;
  v.shared_per_warp_bin = 1;
  HISTOGRAM_KERNELS (v, warp_private);
}
