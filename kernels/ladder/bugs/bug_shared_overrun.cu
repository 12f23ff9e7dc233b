/* bug_shared_overrun: a block of 32 reads s[t + 16] beyond its end.

   Change from unroll_last_warp: all 32 lanes combine at every step (reads and
   writes kept apart by __syncwarp, so that nothing races).
   Wrong: lanes 16 to 31 read s[32] to s[47]; with 64 threads or more these are
   there, and the sums of those lanes are not wanted; with 32 they are beyond the
   block's shared memory.
   Caught: out of bounds, in shared memory, at the first of the last steps.  */

#include "ladder.h"

template <class Op>
__global__ void bug_shared_overrun (reduce_args<Op> a)
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
        s[t] = v = Op::combine (v, s[t + stride]);
      __syncthreads ();
    }
  if (t < 32)
    {
      if (blockDim.x >= 64)
        v = Op::combine (v, s[t + 32]);
      for (int stride = 16; stride > 0; stride /= 2)
        {
          __syncwarp ();
          s[t] = v;
          __syncwarp ();
          v = Op::combine (v, s[t + stride]);
        }
    }
  finish (a, v);
}

LADDER_VARIANT (bug_shared_overrun)
{
  v.rank = 1080;
  v.fault = "out of bounds";
  v.idea = "unroll_last_warp with all 32 lanes, in a block of 32";
  v.lesson = "the smallest block needs a thought of its own";
  v.wrong = "lanes 16 to 31 read beyond the block's shared memory";
  v.source = "R5; Harris, step 5";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  v.blocks = 1u << 0;           /* with 64 and more it is right */
  v.default_block = 32;
  v.default_n = 64;
  REDUCE_KERNELS (v, bug_shared_overrun);
}
