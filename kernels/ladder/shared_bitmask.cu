/* shared_bitmask: a test of bits in place of %.

   Change from shared_modulo: 2 * stride is a power of two, so the remainder is
   zero where the bits below are.
   Better: one cheap instruction for many.
   Still wrong: the same lanes work and the same are idle: it diverges as before.
   Work B - 1 a block of B, steps log2 B, barriers log2 B + 1.
   Limit: instructions, most of them for idle lanes.  */

#include "ladder.h"

template <class Op>
__global__ void shared_bitmask (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;

  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();
  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      if ((t & (2 * stride - 1)) == 0)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  finish (a, s[0]);
}

LADDER_VARIANT (shared_bitmask)
{
  v.rank = 60;
  v.aliases = "S K1";
  v.idea = "the same with a test of bits for %";
  v.lesson = "the instruction gets cheap, the divergence stays";
  v.wrong = "every warp runs for ever fewer of its lanes";
  v.source = "S's text for K1 (what it timed as K1 is shared_strided)";
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, shared_bitmask);
}
