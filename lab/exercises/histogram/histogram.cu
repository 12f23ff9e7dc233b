/* histogram: each block counts in a table of its own.

   The ladder's global_atomic adds every element to its counter in global memory, and all
   threads of the GPU queue up there.  Here a block counts in shared memory, and
   adds its table to the counters of all, a.counts, once, at the end.

   The block may have fewer threads than there are bins, and more: a loop over the bins
   begins at threadIdx.x and goes on by blockDim.x.  Think of the barriers.  */

#include "ladder.h"

__global__ void histogram (histogram_args<int> a)       /* a.x: the elements, a.n: how many */
{
  extern __shared__ unsigned table[];                   /* a.bins counters; what is in them? */
  int64_t me = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, all = (int64_t) gridDim.x * blockDim.x;

  /* TODO 1: the table begins with zeros.  */

  for (int64_t i = me; i < a.n; i += all)
    {
      int k = bin_of (a, a.x[i]);                       /* its bin, or -1 */
      if (k >= 0)
        {
          /* TODO 2: one more in table[k]; other threads may want the same counter.  */
        }
    }

  /* TODO 3: the table is added to a.counts; other blocks do so at the same time.
     atomicAdd (&a.counts[k], 1ull) adds to a counter of 64 bits.  */
}

/* What the kernel is; leave it as it is.  */
LADDER_VARIANT (histogram)
{
  v.family = LADDER_FAMILY_HISTOGRAM;
  v.grid_stride = true;
  v.shared_per_bin = 1;
  LADDER_SET (v, LADDER_HISTOGRAM, LADDER_INT32, histogram)
}
