/* vectorized: loads of 16 bytes, the widest of GPUs up to Hopper, four on their way
   at once.

   Change from grid_stride: a block takes tiles of four packs of 16 bytes (of 4
   floats, 2 doubles) a thread, all loaded before the first is used; what lies before
   the first whole pack and after the last tile is taken in smaller pieces.
   Better: a quarter of the load instructions (of doubles half of them), and 64 bytes
   a thread are on their way from memory while it waits.
   Still wrong: nothing that the memory would notice.
   Work n - 1, steps n / (blocks * B) + 10, barriers 1 a block.
   Limit: memory.

   A load of 16 bytes must lie at a multiple of 16, where x need not start.  __ldcs
   says that nothing is read twice, so that the cache need not keep it.  */

#include "ladder.h"

template <class T> union pack { uint4 bytes; T e[16 / sizeof (T)]; };

template <class Op>
__global__ void vectorized (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;
  enum { W = 16 / sizeof (T), LOADS = 4 };
  int64_t head = (16 - (uintptr_t) a.x % 16) % 16 / sizeof (T);         /* below W */
  if (head > a.n)
    head = a.n;
  const pack<T> *packs = (const pack<T> *) (a.x + head);
  int64_t whole = (a.n - head) / W, tail = head + whole * W, tile = (int64_t) LOADS * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = blockIdx.x * tile; i + tile <= whole; i += gridDim.x * tile)
    {
      pack<T> p[LOADS];
      for (int k = 0; k < LOADS; k++)
        p[k].bytes = __ldcs (&packs[i + k * blockDim.x + t].bytes);
      for (int k = 0; k < LOADS; k++)
        for (int j = 0; j < W; j++)
          v = Op::combine (v, p[k].e[j]);
    }
  for (int64_t i = whole / tile * tile + me; i < whole; i += all)
    for (int j = 0; j < W; j++)
      v = Op::combine (v, packs[i].e[j]);
  if (me < head)
    v = Op::combine (v, a.x[me]);
  if (tail + me < a.n)
    v = Op::combine (v, a.x[tail + me]);
  for (int stride = 16; stride > 0; stride /= 2)
    v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : Op::identity ();
      for (int stride = 16; stride > 0; stride /= 2)
        v = Op::combine (v, __shfl_down_sync (0xffffffffu, v, stride));
    }
  finish (a, v);
}

LADDER_VARIANT (vectorized)
{
  v.rank = 160;
  v.aliases = "V float4";
  v.idea = "loads of 16 bytes, four at once, and a loop over the grid";
  v.lesson = "wide loads, several on their way, the remainder handled";
  v.wrong = "";
  v.source = "V, \"float4\"";
  v.per_thread = 16;
  v.grid_stride = true;
  v.shared_per_warp = 1;
  REDUCE_KERNELS (v, vectorized);
}
