/* bug_block_1024: no step for 1024 threads.

   Change from unrolled: the waterfall begins at 512, as written when a block had
   512 threads at most.
   Wrong: in a block of 1024 s[512] to s[1023] are never combined: half of the
   elements are lost.  Nothing faults; only the result says so.
   Caught: wrong result.  */

#include "ladder.h"

template <class Op, int B>
__global__ void bug_block_1024 (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t i = (int64_t) blockIdx.x * (2 * B) + t;

  T v = i < a.n ? a.x[i] : Op::identity ();
  if (i + B < a.n)
    v = Op::combine (v, a.x[i + B]);
  s[t] = v;
  __syncthreads ();
  if (B >= 512) { if (t < 256) s[t] = Op::combine (s[t], s[t + 256]); __syncthreads (); }
  if (B >= 256) { if (t < 128) s[t] = Op::combine (s[t], s[t + 128]); __syncthreads (); }
  if (B >= 128) { if (t < 64) s[t] = Op::combine (s[t], s[t + 64]); __syncthreads (); }
  if (t < 32)
    {
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
  finish (a, t == 0 ? s[0] : v);
}

LADDER_VARIANT (bug_block_1024)
{
  v.rank = 1070;
  v.fault = "wrong result";
  v.idea = "unrolled without the step from 1024 to 512";
  v.lesson = "a template for a size it was not written for compiles all the same";
  v.wrong = "the upper half of the block's values, s[512] to s[1023], is lost";
  v.source = "R5; Harris, step 6";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  v.blocks = 1u << 5;           /* with 512 and less it is right */
  v.default_block = 1024;
  v.default_n = 2048;
  REDUCE_KERNELS_BY_BLOCK (v, bug_block_1024);
}
