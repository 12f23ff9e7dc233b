/* shared_strided: the first threads take the pairs, whichever they are.

   Change from shared_bitmask: thread t works at place 2 * stride * t.
   Better: the threads at work fill whole warps: no divergence until less than a
   warp is left.
   Still wrong: the lanes of a warp are 2 * stride words apart, in the same banks
   of shared memory: 2 of them in each bank at first, then 4, 8, and so on, and
   a bank serves one after the other.
   Work B - 1 a block of B, steps log2 B, barriers log2 B + 1.
   Limit: shared memory, by its bank conflicts.  */

#include "ladder.h"

template <class Op>
__global__ void shared_strided (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;

  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();
  for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
      int k = 2 * stride * t;
      if (k < blockDim.x)
        s[k] = Op::combine (s[k], s[k + stride]);
      __syncthreads ();
    }
  finish (a, s[0]);
}

LADDER_VARIANT (shared_strided)
{
  v.rank = 70;
  v.aliases = "K1, H2, reduce1";
  v.idea = "the same in shared memory, place 2 * stride * t";
  v.lesson = "no divergence, but bank conflicts";
  v.wrong = "2, 4, 8, … lanes of a warp touch one bank of shared memory";
  v.source = "NVIDIA's program K1; Harris, step 2";
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, shared_strided);
}
