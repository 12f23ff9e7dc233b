/* map_reduce: scale * x + bias of every element as it is loaded, and their sum, in
   one kernel.

   Change from map_then_reduce: the map moves into the loop that loads (the kernels
   are fused), and the kernel before is gone.
   Better: each element is read once and none is written: a third of the traffic, and
   one launch less.  The map is one instruction an element, which is done while the
   kernel waits for memory.
   Still wrong: a load brings a thread one element, as in grid_stride.
   Work 3 n - 1 (n products, n sums, and n - 1 sums), steps n / (blocks * B) + 10,
   barriers 1 a block.
   Limit: memory, as far as enough loads are on their way.

   It stands for any map of an element: this one could be done after the sum, an
   exponential could not.  gpu_mapreduce fuses whatever expression it is given.  */

#include "ladder.h"

template <class Op>
__global__ void map_reduce (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = Op::combine (v, ladder_scaled (a.x[i], a.scale, a.bias));       /* scale * x + bias */
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

LADDER_VARIANT (map_reduce)
{
  v.rank = 200;
  v.idea = "grid_stride, and each element is mapped to scale * x + bias as it is loaded";
  v.lesson = "fusion: n elements read, none written";
  v.wrong = "a load brings a thread one element";
  v.source = "a kernel that applies scale and bias while it loads";
  v.scale = 2;
  v.bias = 1;
  v.grid_stride = true;
  v.shared_per_warp = 1;
  SUM_KERNELS (v, map_reduce);
}
