/* unrolled: the block's size is a constant of the template, and the whole tree is
   written out.

   Change from unroll_last_warp: B for blockDim.x, and a test of B for each turn
   of the loop.
   Better: the compiler knows which steps a block of B has: their code is there
   without a loop and without a test of B, the others' is gone.
   Still wrong: every step but the last goes through shared memory, although a
   warp could keep its values in registers.  A kernel for every size of block.
   Work 2 B - 1 a block of B, steps log2 B + 1, barriers log2 B - 5 (1 for B = 32).
   Limit: blocks: each loads two elements a thread, and then mostly waits.  */

#include "ladder.h"

template <class Op, int B>
__global__ void unrolled (reduce_args<Op> a)
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
  if (B >= 1024) { if (t < 512) s[t] = Op::combine (s[t], s[t + 512]); __syncthreads (); }
  if (B >= 512) { if (t < 256) s[t] = Op::combine (s[t], s[t + 256]); __syncthreads (); }
  if (B >= 256) { if (t < 128) s[t] = Op::combine (s[t], s[t + 128]); __syncthreads (); }
  if (B >= 128) { if (t < 64) s[t] = Op::combine (s[t], s[t + 64]); __syncthreads (); }
  if (t < 32)
    {
      if (B >= 64)
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

LADDER_VARIANT (unrolled)
{
  v.rank = 110;
  v.aliases = "K5, H6, R5, reduce5";
  v.idea = "the whole tree written out, the block's size a constant of the template";
  v.lesson = "a waterfall at compile time, dead code removed";
  v.wrong = "every step goes through shared memory";
  v.source = "Harris, step 6; R5; NVIDIA's program K5 (whose last warp shuffles)";
  v.per_thread = 2;
  v.shared_per_thread = 1;
  REDUCE_KERNELS_BY_BLOCK (v, unrolled);
}
