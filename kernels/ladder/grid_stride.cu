/* grid_stride: the loop over the grid, then the shuffles.

   Change from full_shuffle: a loop over the grid for the two loads.  (From
   cascade: shuffles for the written-out tree, and one element a turn.)
   Better: short, no template of the block's size, one barrier, and near the
   memory's limit.
   Still wrong: a load brings a thread 4 or 8 bytes; it could bring 16.
   Work n - 1, steps n / (blocks * B) + 10, barriers 1 a block.
   Limit: memory, as far as enough loads are on their way.  */

#include "ladder.h"

template <class Op>
__global__ void grid_stride (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = Op::combine (v, a.x[i]);
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

LADDER_VARIANT (grid_stride)
{
  v.rank = 150;
  v.aliases = "V5";
  v.idea = "full_shuffle, and a loop over the grid";
  v.lesson = "nearly all that the memory gives, in few lines";
  v.wrong = "a load brings a thread one element";
  v.source = "V, version 5";
  v.grid_stride = true;
  v.shared_per_warp = 1;
  REDUCE_KERNELS (v, grid_stride);
}
