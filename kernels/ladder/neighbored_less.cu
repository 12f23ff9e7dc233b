/* neighbored_less: the same pairs of elements, taken by the first threads.

   Change from neighbored: thread t works at index 2 * stride * t, not at index t
   if t is a multiple of 2 * stride.
   Better: the threads at work are the first ones, so they fill whole warps, and
   whole warps are idle, which costs nothing.  No %.
   Still wrong: the lanes of a warp are 2 * stride elements apart: a warp's access
   touches ever more sectors of memory, of which it needs one element each.
   Work B - 1 a block of B, steps log2 B, barriers log2 B.
   Limit: sectors moved for one element each.  */

#include "ladder.h"

template <class Op>
__global__ void neighbored_less (reduce_args<Op> a)
{
  int t = threadIdx.x;
  int64_t first = (int64_t) blockIdx.x * blockDim.x;
  typename Op::T *x = a.x + first;      /* the block's own, */
  int64_t here = a.n - first;           /* so many of them or more */

  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      int i = 2 * stride * t;
      if (i < blockDim.x && i + stride < here)
        x[i] = Op::combine (x[i], x[i + stride]);
      __syncthreads ();
    }
  finish (a, x[0]);
}

LADDER_VARIANT (neighbored_less)
{
  v.rank = 30;
  v.aliases = "G level 3";
  v.idea = "the same in global memory, index 2 * stride * t";
  v.lesson = "packing the active threads into whole warps";
  v.wrong = "the lanes of a warp touch addresses far apart";
  v.source = "the guide's level 3, corrected";
  v.in_place = true;
  REDUCE_KERNELS (v, neighbored_less);
}
