/* bug_off_by_one: idx > n lets one thread too many in.

   Change from neighbored_less: the neighbour's index is refused where it is
   above n, not where it is n or above.
   Wrong: x[n] is read where n is no multiple of the block.
   Caught: out of bounds, at the line of the combination.  (The source also
   returns there, before the barriers: that is bug_early_return.)  */

#include "ladder.h"

template <class Op>
__global__ void bug_off_by_one (reduce_args<Op> a)
{
  int t = threadIdx.x;
  int64_t first = (int64_t) blockIdx.x * blockDim.x;
  typename Op::T *x = a.x + first;      /* the block's own */

  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      int i = 2 * stride * t;
      int64_t idx = first + i + stride;
      if (i < blockDim.x && ! (idx > a.n))
        x[i] = Op::combine (x[i], x[i + stride]);
      __syncthreads ();
    }
  finish (a, x[0]);
}

LADDER_VARIANT (bug_off_by_one)
{
  v.rank = 1010;
  v.fault = "out of bounds";
  v.idea = "neighbored_less with idx > n for idx >= n";
  v.lesson = "the last element is n - 1";
  v.wrong = "reads x[n] where n is no multiple of the block";
  v.source = "the guide's level 3";
  v.in_place = true;
  v.default_n = 100;
  REDUCE_KERNELS (v, bug_off_by_one);
}
