/* bug_boundary: the guard looks at the wrong index, the neighbour is not checked.

   Change from neighbored: if (t >= n) return, where t is the thread's index in
   its block, and no bound on t + stride.
   Wrong: t >= n never holds in a block of a large array, so in the last block
   the threads beyond n read and write x beyond its end.
   Caught: out of bounds, at the line of the combination.  */

#include "ladder.h"

template <class Op>
__global__ void bug_boundary (reduce_args<Op> a)
{
  int t = threadIdx.x;
  typename Op::T *x = a.x + (int64_t) blockIdx.x * blockDim.x;

  if (t >= a.n)
    return;
  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      if (t % (2 * stride) == 0)
        x[t] = Op::combine (x[t], x[t + stride]);
      __syncthreads ();
    }
  finish (a, x[0]);
}

LADDER_VARIANT (bug_boundary)
{
  v.rank = 1000;
  v.fault = "out of bounds";
  v.idea = "neighbored with if (t >= n) return and an unchecked neighbour";
  v.lesson = "which index a bound is for";
  v.wrong = "reads and writes beyond n where n is no multiple of the block";
  v.source = "the guide's original kernel";
  v.in_place = true;
  v.default_n = 100;
  REDUCE_KERNELS (v, bug_boundary);
}
