/* bug_early_return: threads without an element return before the barriers.

   Change from interleaved: if (i >= n) return, ahead of the loop.
   Wrong: __syncthreads is for all threads of the block, and in the last block
   some never come.  Present GPUs do not wait for threads that have ended, so it
   often passes; CUDA does not promise it, and what comes after (the finish) may
   count on threads that are gone.
   Caught: barrier divergence, at the line of __syncthreads.  */

#include "ladder.h"

template <class Op>
__global__ void bug_early_return (reduce_args<Op> a)
{
  int t = threadIdx.x;
  int64_t first = (int64_t) blockIdx.x * blockDim.x;
  typename Op::T *x = a.x + first;      /* the block's own, */
  int64_t here = a.n - first;           /* so many of them or more */

  if (t >= here)
    return;
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      if (t < stride && t + stride < here)
        x[t] = Op::combine (x[t], x[t + stride]);
      __syncthreads ();
    }
  finish (a, x[0]);
}

LADDER_VARIANT (bug_early_return)
{
  v.rank = 1020;
  v.fault = "barrier divergence";
  v.idea = "interleaved with an early return";
  v.lesson = "a barrier is for all threads of the block";
  v.wrong = "threads beyond n never come to __syncthreads";
  v.source = "the guide's level 1";
  v.in_place = true;
  v.default_n = 100;
  REDUCE_KERNELS (v, bug_early_return);
}
