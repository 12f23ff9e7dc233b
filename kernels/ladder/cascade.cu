/* cascade: each thread combines many elements before the tree starts.

   Change from unrolled: a loop over the grid around the loads; as many blocks as
   the GPU runs at once, whatever n is.
   Better: the tree is paid for once a block, and the blocks are few.  Brent's
   theorem: n / p elements one after the other on each of p processors, then a
   tree of p: as fast as the tree of n, and all processors busy.
   Still wrong: the tree is still that of shared memory (it hardly matters now);
   a load brings a thread one element.
   Work n - 1, steps n / (blocks * B) + log2 B, barriers log2 B - 5 a block (1 for
   B = 32).
   Limit: memory, as far as enough loads are on their way.  */

#include "ladder.h"

template <class Op, int B>
__global__ void cascade (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;

  T v = Op::identity ();
  for (int64_t i = (int64_t) blockIdx.x * (2 * B) + t; i < a.n; i += (int64_t) gridDim.x * (2 * B))
    {
      v = Op::combine (v, a.x[i]);
      if (i + B < a.n)
        v = Op::combine (v, a.x[i + B]);
    }
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

LADDER_VARIANT (cascade)
{
  v.rank = 140;
  v.aliases = "K6, H7, reduce6";
  v.idea = "unrolled, and a loop over the grid";
  v.lesson = "many elements a thread (Brent's theorem)";
  v.wrong = "a load brings a thread one element";
  v.source = "Harris, step 7; R5; NVIDIA's program K6 (whose last warp shuffles)";
  v.per_thread = 2;
  v.grid_stride = true;
  v.shared_per_thread = 1;
  REDUCE_KERNELS_BY_BLOCK (v, cascade);
}
