/* first_add: two elements a thread, combined while they are loaded.

   Change from sequential: a block takes 2 * B elements; every thread combines
   one of the first half with its partner in the second before the tree starts.
   Better: half as many blocks for the same elements; every thread combines at
   least once, and has two loads on their way at a time.
   Still wrong: in the last five steps one warp is at work, and all the others
   come to every barrier to wait for it.
   Work 2 B - 1 a block of B, steps log2 B + 1, barriers log2 B + 1.
   Limit: instructions and barriers still, at half the price an element.  */

#include "ladder.h"

template <class Op>
__global__ void first_add (reduce_args<Op> a)
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
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      if (t < stride)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  finish (a, s[0]);
}

LADDER_VARIANT (first_add)
{
  v.rank = 90;
  v.aliases = "K3, V3, H4, G optimized, reduce3";
  v.idea = "two elements a thread, combined while they are loaded";
  v.lesson = "idle threads put to work";
  v.wrong = "all warps wait at the barriers of the last five steps, which one warp does";
  v.source = "NVIDIA's program K3; Harris, step 4; V, version 3; the guide's \"optimized\"";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, first_add);
}
