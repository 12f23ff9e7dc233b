/* warp_shuffle: the last warp passes its values from register to register.

   Change from unroll_last_warp (the template of unrolled is left aside, as in
   NVIDIA's K4): from stride 16 on, __shfl_down_sync in place of shared memory.
   Better: a step is one shuffle, not a store, a __syncwarp and a load; nothing
   to race on, no address beyond the end.
   Still wrong: only the last warp does; the steps above still go through shared
   memory, with a barrier each.
   Work 2 B - 1 a block of B (and more in lanes whose value nobody wants), steps
   log2 B + 1, barriers log2 B - 5 (1 for B = 32).
   Limit: barriers of the steps above stride 32.

   All 32 lanes take part, as the mask says, and each keeps its value; only that
   of lane 0 is of all of them.  */

#include "ladder.h"

template <class Op>
__global__ void warp_shuffle (reduce_args<Op> a)
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
      if (blockDim.x >= 64)
        v = Op::combine (v, s[t + 32]);
      for (int stride = 16; stride > 0; stride /= 2)
        v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (warp_shuffle)
{
  v.rank = 120;
  v.aliases = "K4, V4, reduce4";
  v.idea = "the last warp by __shfl_down_sync";
  v.lesson = "registers instead of shared memory";
  v.wrong = "the steps before still go through shared memory, with a barrier each";
  v.source = "NVIDIA's program K4; V, version 4";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, warp_shuffle);
}
