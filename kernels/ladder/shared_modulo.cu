/* shared_modulo: every element is loaded once into shared memory, and the tree of
   neighbored is built there.

   Change from interleaved: shared memory; and, as NVIDIA's and Harris's ladders
   start over here, the modulo test of neighbored again.
   Better: global memory is read once and written once a block; the input stays
   as it was.
   Still wrong: the warps diverge as in neighbored, and % is slow.  There are no
   bank conflicts: the lanes at work touch different banks.
   Work B - 1 a block of B, steps log2 B, barriers log2 B + 1.
   Limit: instructions, most of them for idle lanes.  */

#include "ladder.h"

template <class Op>
__global__ void shared_modulo (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;

  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();
  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      if (t % (2 * stride) == 0)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  finish (a, s[0]);
}

LADDER_VARIANT (shared_modulo)
{
  v.rank = 50;
  v.aliases = "K0, V1, H1, reduce0";
  v.idea = "neighbours are combined in shared memory, where t % (2 * stride) is 0";
  v.lesson = "shared memory; divergence and a slow %";
  v.wrong = "every warp runs for ever fewer of its lanes; % is slow";
  v.source = "NVIDIA's program K0; Harris, step 1; V, version 1";
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, shared_modulo);
}
