/* bug_inplace_levels: a level writes its results where it reads its elements.

   Change from sequential: the block's value goes to x[blockIdx.x].
   Wrong: x[1] belongs to block 0, which may not have read it yet when block 1
   writes its result there.  Blocks run in any order and at the same time; no
   barrier is between them.  It takes a second buffer, and the two in turn.
   Caught: race between two blocks, at the load or at the store.  */

#include "ladder.h"

template <class Op>
__global__ void bug_inplace_levels (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;
  T *out = a.x;

  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      if (t < stride)
        s[t] = Op::combine (s[t], s[t + stride]);
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
  finish (a, s[0]);             /* where the launcher looks for it */
}

LADDER_VARIANT (bug_inplace_levels)
{
  v.rank = 1050;
  v.fault = "race";
  v.idea = "sequential, its results in the buffer of its elements";
  v.lesson = "blocks run in any order: input and output of a level apart";
  v.wrong = "a block may read another's result for its own element";
  v.source = "the guide's complete system";
  v.in_place = true;
  v.shared_per_thread = 1;
  v.finishes = 1u << LADDER_MULTI_LEVEL;
  v.default_finish = LADDER_MULTI_LEVEL;
  v.default_n = 256;
  REDUCE_KERNELS (v, bug_inplace_levels);
}
