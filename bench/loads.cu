/* What was tried for the ladder's vectorized: how many loads of 16 bytes are on their way
   at once, with and without __ldcs, by as many blocks as run at once or a block for
   every tile.  bench/loads.m times them as users' variants.  */

#include "ladder.h"

template <class T> union pack { uint4 bytes; T e[16 / sizeof (T)]; };

template <class Op, int LOADS, bool STREAMING>
__device__ __forceinline__ void body (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;
  enum { W = 16 / sizeof (T) };
  int64_t head = (16 - (uintptr_t) a.x % 16) % 16 / sizeof (T);
  if (head > a.n)
    head = a.n;
  const pack<T> *packs = (const pack<T> *) (a.x + head);
  int64_t whole = (a.n - head) / W, tail = head + whole * W, tile = (int64_t) LOADS * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = blockIdx.x * tile; i + tile <= whole; i += gridDim.x * tile)
    {
      pack<T> p[LOADS];
      for (int k = 0; k < LOADS; k++)
        {
          const uint4 *at = &packs[i + k * blockDim.x + t].bytes;
          p[k].bytes = STREAMING ? __ldcs (at) : *at;
        }
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

#define TRY(name, LOADS, STREAMING, RESIDENT) \
  template <class Op> __global__ void name (reduce_args<Op> a) { body<Op, LOADS, STREAMING> (a); } \
  LADDER_VARIANT (name) \
  { \
    v.idea = #LOADS " loads at once"; \
    v.lesson = ""; \
    v.per_thread = 4 * LOADS; \
    v.grid_stride = RESIDENT; \
    v.shared_per_warp = 1; \
    LADDER_SET (v, LADDER_SUM, LADDER_SINGLE, name<Sum<float>>) \
  }
TRY (loads_1, 1, false, true)
TRY (loads_4, 4, false, true)
TRY (loads_4_streaming, 4, true, true)
TRY (loads_8, 8, false, true)
TRY (loads_8_streaming, 8, true, true)
TRY (loads_4_streaming_tiles, 4, true, false)
TRY (loads_8_tiles, 8, false, false)
