/* full_shuffle: every warp shuffles its 32 values into one; the first warp
   shuffles those.

   Change from warp_shuffle: the shuffles come first, in all warps; shared memory
   passes one value a warp, once.
   Better: one barrier, whatever the block's size (32 warps of 32 are 1024
   threads, so two rounds do).
   Still wrong: a thread has two elements only, and then the block goes through
   all of this for them.
   Work 2 B - 1 a block of B (and more in lanes whose value nobody wants), steps
   11, barriers 1.
   Limit: blocks: starting one and reducing it costs more than its loads.  */

#include "ladder.h"

template <class Op>
__global__ void full_shuffle (reduce_args<Op> a)
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
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : Op::identity ();
      for (int stride = 16; stride > 0; stride /= 2)
        v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (full_shuffle)
{
  v.rank = 130;
  v.aliases = "G level 4";
  v.idea = "shuffles in every warp, one step through shared memory";
  v.lesson = "one barrier a block";
  v.wrong = "two elements a thread do not pay for a block";
  v.source = "the guide's level 4; V, version 5, without its loop";
  v.per_thread = 2;
  v.shared_per_warp = 1;
  REDUCE_KERNELS (v, full_shuffle);
}
