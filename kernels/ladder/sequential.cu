/* sequential: the stride halves, and neighbouring threads combine elements a
   stride apart.

   Change from shared_strided: the stride starts at half of the block and halves;
   thread t works at index t.
   Better: the threads of a warp touch neighbouring words of shared memory, which
   lie in different banks, so no access waits for another; whole warps fall idle
   together, so none diverges until the last 32 elements.
   Still wrong: half of the threads only load and never combine.
   Work B - 1 a block of B, steps log2 B, barriers log2 B + 1.
   Limit: instructions: loads are few against barriers, tests and addresses.  */

#include "ladder.h"

template <class Op>
__global__ void sequential (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;

  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      if (t < stride)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  finish (a, s[0]);
}

LADDER_VARIANT (sequential)
{
  v.rank = 80;
  v.aliases = "K2, V2, H3, G level 2, reduce2";
  v.idea = "the stride halves in shared memory";
  v.lesson = "no divergence, no bank conflicts";
  v.wrong = "half of the threads only load";
  v.source = "NVIDIA's program K2; Harris, step 3; V, version 2; the guide's level 2";
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, sequential);
}
