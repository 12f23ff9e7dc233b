/* bug_shuffle_mask: the full mask where only 8 lanes take part.

   Change from full_shuffle: only as many threads as there are warps come to the
   second round of shuffles, whose mask still names all 32 lanes.
   Wrong: in a block of 256 there are 8 warps; the mask promises 24 lanes that
   are not there, and their registers are asked for.  It may hang or give any
   value.
   Caught: shuffle from a missing lane, at the second shuffle.  */

#include "ladder.h"

template <class Op>
__global__ void bug_shuffle_mask (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * (2 * blockDim.x) + t;

  T v = i < a.n ? a.x[i] : Op::identity ();
  if (i + blockDim.x < a.n)
    v = Op::combine (v, a.x[i + blockDim.x]);
  for (int stride = 16; stride > 0; stride /= 2)
    v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < blockDim.x / 32)
    {
      v = s[t];
      for (int stride = 16; stride > 0; stride /= 2)
        v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (bug_shuffle_mask)
{
  v.rank = 1040;
  v.fault = "shuffle from a missing lane";
  v.idea = "full_shuffle with the full mask for a part of a warp";
  v.lesson = "the mask names the lanes that come";
  v.wrong = "lanes are asked for that are not there (24 of 32 in a block of 256)";
  v.source = "the guide's level 4";
  v.per_thread = 2;
  v.shared_per_warp = 1;
  v.blocks = LADDER_ALL_BLOCKS & ~(1u << 5);    /* 1024 has 32 warps: all lanes come */
  v.default_n = 128;
  REDUCE_KERNELS (v, bug_shuffle_mask);
}
