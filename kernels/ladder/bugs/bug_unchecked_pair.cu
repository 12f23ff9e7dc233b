/* bug_unchecked_pair: g[i] + g[i + blockSize], with a bound for the first only.

   Change from cascade (with the tree of sequential): the second load is not
   checked.
   Wrong: where the last turn has less than 2 * B elements, threads read beyond
   the end.
   Caught: out of bounds, at the second load.  */

#include "ladder.h"

template <class Op>
__global__ void bug_unchecked_pair (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int B = blockDim.x;

  T v = Op::identity ();
  for (int64_t i = (int64_t) blockIdx.x * (2 * B) + t; i < a.n; i += (int64_t) gridDim.x * (2 * B))
    v = Op::combine (v, Op::combine (a.x[i], a.x[i + B]));
  s[t] = v;
  __syncthreads ();
  for (int stride = B / 2; stride > 0; stride /= 2)
    {
      if (t < stride)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  finish (a, s[0]);
}

LADDER_VARIANT (bug_unchecked_pair)
{
  v.rank = 1060;
  v.fault = "out of bounds";
  v.idea = "cascade without a bound for the second of a pair";
  v.lesson = "every index has its own bound";
  v.wrong = "reads beyond n where n is no multiple of 2 * block";
  v.source = "R5; Harris, step 7";
  v.per_thread = 2;
  v.grid_stride = true;
  v.shared_per_thread = 1;
  v.default_n = 100;
  REDUCE_KERNELS (v, bug_unchecked_pair);
}
