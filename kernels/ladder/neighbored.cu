/* neighbored: neighbours are combined in global memory, then neighbours of the
   sums, twice as far apart each time.

   Change from single_thread: a thread for every element, and a tree: each block
   reduces its own elements in place.
   Better: half of the elements are combined in the first step, all at once; log2
   steps in place of n.
   Still wrong: at stride 1 every second lane of every warp works, then every
   fourth: a warp with one lane at work takes as long as with 32 (divergence).
   % is a slow instruction.  Every step goes to global memory.
   Work B - 1 a block of B, steps log2 B, barriers log2 B.
   Limit: instructions issued for idle lanes, and traffic of all the steps.

   The bounds: t + stride must be below the block's end and below n; a thread
   outside skips the work but not the barrier (see bug_boundary,
   bug_early_return).  */

#include "ladder.h"

template <class Op>
__global__ void neighbored (reduce_args<Op> a)
{
  int t = threadIdx.x;
  int64_t first = (int64_t) blockIdx.x * blockDim.x;
  typename Op::T *x = a.x + first;      /* the block's own, */
  int64_t here = a.n - first;           /* so many of them or more */

  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      if (t % (2 * stride) == 0 && t + stride < here)
        x[t] = Op::combine (x[t], x[t + stride]);
      __syncthreads ();
    }
  finish (a, x[0]);
}

LADDER_VARIANT (neighbored)
{
  v.rank = 20;
  v.aliases = "G original";
  v.idea = "neighbours are combined in global memory, where t % (2 * stride) is 0";
  v.lesson = "divergence, and boundary checks done right";
  v.wrong = "every warp runs for ever fewer of its lanes; % is slow; every step goes to global memory";
  v.source = "the guide's original kernel, corrected";
  v.in_place = true;
  REDUCE_KERNELS (v, neighbored);
}
