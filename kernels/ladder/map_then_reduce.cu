/* map_then_reduce: scale * x + bias of every element by one kernel, their sum by
   another.

   Change from grid_stride: a kernel before it maps each element, by itself, and
   writes it back; grid_stride then reads what that wrote.
   Better: nothing yet: it is what sum (scale * x + bias) does where every operation
   is a kernel of its own.
   Still wrong: n elements are read, n written and n read again, for one sum; and
   there is one launch more.
   Work 3 n - 1 (n products, n sums, and n - 1 sums), steps n / (blocks * B) each.
   Limit: memory, which is asked for 3 n elements where n would do.

   x is mapped in place; an array beside it for the results would cost as much.  */

#include "ladder.h"

template <class Op>
__global__ void scale_and_bias (reduce_args<Op> a)
{
  int64_t me = (int64_t) blockIdx.x * blockDim.x + threadIdx.x, all = (int64_t) gridDim.x * blockDim.x;

  for (int64_t i = me; i < a.n; i += all)
    a.x[i] = ladder_scaled (a.x[i], a.scale, a.bias);   /* scale * x + bias */
}

template <class Op>
__global__ void map_then_reduce (reduce_args<Op> a)
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

LADDER_VARIANT (map_then_reduce)
{
  static ladder_variant first;
  first.name = "scale_and_bias";
  SUM_KERNELS (first, scale_and_bias);

  v.rank = 190;
  v.idea = "one kernel maps every element to scale * x + bias, grid_stride adds them";
  v.lesson = "what an array between two kernels costs: 2 n elements read, n written";
  v.wrong = "three times the traffic that the sum needs";
  v.source = "map_reduce in two kernels, to compare with";
  v.scale = 2;
  v.bias = 1;
  v.first = &first;
  v.in_place = true;
  v.grid_stride = true;
  v.shared_per_warp = 1;
  SUM_KERNELS (v, map_then_reduce);
}
