/* bug_lost_half: the tree stops at 32, and one warp is added.

   Change from warp_shuffle: s[t + 32] is not combined with s[t] before the
   shuffles.
   Wrong: the loop leaves 64 values, and the shuffles take the first 32: half of
   the elements are lost.  Nothing faults; only the result says so.
   Caught: wrong result.  */

#include "ladder.h"

template <class Op>
__global__ void bug_lost_half (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * (2 * blockDim.x) + t;

  T v = i < a.n ? a.x[i] : Op::identity ();
  if (i + blockDim.x < a.n)
    v = Op::combine (v, a.x[i + blockDim.x]);
  s[t] = v;
  __syncthreads ();
  for (int stride = blockDim.x / 2; stride > 32; stride /= 2)
    {
      if (t < stride)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  if (t < 32)
    {
      v = s[t];
      for (int stride = 16; stride > 0; stride /= 2)
        v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (bug_lost_half)
{
  v.rank = 1090;
  v.fault = "wrong result";
  v.idea = "warp_shuffle without the step from 64 to 32";
  v.lesson = "where one part of a tree ends the next must begin";
  v.wrong = "half of the block's values, those that came to s[32] to s[63], are lost";
  v.source = "V, version 4";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  v.blocks = LADDER_ALL_BLOCKS & ~1u;   /* 32 has no second half */
  v.default_n = 128;
  REDUCE_KERNELS (v, bug_lost_half);
}
