/* global_atomic (histogram): every element adds one to its bin in global memory.

   The first rung of the histograms.
   Better: than no histogram: it is right, whatever the number of bins.
   Still wrong: all threads of the GPU add to the same few counters; additions to
   one counter go one after the other.
   Work n atomics on global memory, barriers none.
   Limit: atomics on one place, the worse the fewer bins the data fall in.  */

#include "ladder.h"

template <class X>
__global__ void global_atomic (histogram_args<X> a)
{
  int64_t me = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, all = (int64_t) gridDim.x * blockDim.x;

  for (int64_t i = me; i < a.n; i += all)
    {
      int k = bin_of (a, a.x[i]);
      if (k >= 0)
        atomicAdd (&a.counts[k], 1ull);
    }
}

LADDER_VARIANT (global_atomic)
{
  v.rank = 310;
  v.aliases = "V naive";
  v.idea = "one atomic an element, in global memory";
  v.lesson = "right, and slow: contention";
  v.wrong = "all threads of the GPU wait for the same few counters";
  v.source = "V, histogram, naive";
  v.grid_stride = true;
  HISTOGRAM_KERNELS (v, global_atomic);
}
