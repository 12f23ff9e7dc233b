/* unroll_last_warp: the last steps, which one warp does, are written out and need
   no barrier of the block.

   Change from first_add: from stride 32 on only warp 0 goes on, with __syncwarp
   in place of __syncthreads.
   Better: six barriers of the block and six turns of the loop less.
   Still wrong: the loop above does not know the block's size, and tests and
   divides at every step.
   Work 2 B - 1 a block of B, steps log2 B + 1, barriers log2 B - 5 (1 for B = 32).
   Limit: instructions, and latency of shared memory in the last steps.

   The sources declare s volatile and write s[t] += s[t + 32]; s[t] += s[t + 16]; …
   with nothing between.  volatile makes each access happen, in the order of its
   own thread; it says nothing of other threads.  Up to Pascal the 32 lanes of a
   warp ran in lockstep, which did the rest.  Since Volta each lane may run ahead
   of the others: lane 0 may read s[8] before lane 8 has written it.  __syncwarp
   makes the lanes meet and what they wrote seen.  That only the first lanes
   combine matters too: where all 32 did, lane 0 would read s[16] while lane 16
   writes it, and in a block of 32 lane 16 would read s[32], beyond the end
   (see bug_no_syncwarp, bug_shared_overrun).  */

#include "ladder.h"

template <class Op>
__global__ void unroll_last_warp (reduce_args<Op> a)
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
      if (blockDim.x >= 64)
        s[t] = Op::combine (s[t], s[t + 32]);
      __syncwarp ();
      if (t < 16) s[t] = Op::combine (s[t], s[t + 16]);
      __syncwarp ();
      if (t < 8) s[t] = Op::combine (s[t], s[t + 8]);
      __syncwarp ();
      if (t < 4) s[t] = Op::combine (s[t], s[t + 4]);
      __syncwarp ();
      if (t < 2) s[t] = Op::combine (s[t], s[t + 2]);
      __syncwarp ();
      if (t < 1) s[t] = Op::combine (s[t], s[t + 1]);
    }
  finish (a, t == 0 ? s[0] : v);        /* the other warps did not wait for s[0] */
}

LADDER_VARIANT (unroll_last_warp)
{
  v.rank = 100;
  v.aliases = "H5, G advanced, S K3";
  v.idea = "the last warp's steps written out, in shared memory";
  v.lesson = "fewer barriers; volatile alone is not enough since Volta: __syncwarp";
  v.wrong = "the loop does not know the block's size";
  v.source = "Harris, step 5; the guide's \"advanced\"; S's text for K3 (what it timed as K3 is first_add)";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, unroll_last_warp);
}
