/* bug_no_syncwarp: the last warp unrolled in plain shared memory.

   Change from unroll_last_warp: no __syncwarp, and all 32 lanes combine at every
   step, as in code from before Volta (with volatile it is no better: see there).
   Wrong: lane t reads s[t + 16] while lane t + 16 may write it; nothing orders
   them.  Which value it gets depends on the compiler and the GPU.
   Caught: race, at one of the last six combinations.  */

#include "ladder.h"

template <class Op>
__global__ void bug_no_syncwarp (reduce_args<Op> a)
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
      s[t] = Op::combine (s[t], s[t + 32]);
      s[t] = Op::combine (s[t], s[t + 16]);
      s[t] = Op::combine (s[t], s[t + 8]);
      s[t] = Op::combine (s[t], s[t + 4]);
      s[t] = Op::combine (s[t], s[t + 2]);
      s[t] = Op::combine (s[t], s[t + 1]);
    }
  finish (a, t == 0 ? s[0] : v);
}

LADDER_VARIANT (bug_no_syncwarp)
{
  v.rank = 1030;
  v.fault = "race";
  v.idea = "the last warp unrolled without __syncwarp";
  v.lesson = "the lanes of a warp are not in lockstep since Volta";
  v.wrong = "lanes read what others may be writing";
  v.source = "the guide's \"advanced\"";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  v.blocks = LADDER_ALL_BLOCKS & ~1u;   /* 64 and up: 32 is bug_shared_overrun */
  v.default_n = 128;
  REDUCE_KERNELS (v, bug_no_syncwarp);
}
