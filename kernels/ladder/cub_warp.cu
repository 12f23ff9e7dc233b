/* cub_warp: CUB's reduction of a warp, in the loop of grid_stride.

   Change from grid_stride: cub::WarpReduce for the loops of shuffles.
   Better: the type may be anything; integers take the hardware's instruction
   where there is one.
   Limit: memory, as far as enough loads are on their way.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* CUB runs on GPUs only */
#include <cub/warp/warp_reduce.cuh>

#include "library.h"

template <class Op>
__global__ void cub_warp (reduce_args<Op> a)
{
  typedef typename Op::T T;
  typedef cub::WarpReduce<T> warp_reduce;
  __shared__ typename warp_reduce::TempStorage memory[32];
  T *s = shared<T> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  T v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = Op::combine (v, a.x[i]);
  v = warp_reduce (memory[t / 32]).Reduce (v, combination<Op> ());      /* lane 0's */
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : Op::identity ();
      v = warp_reduce (memory[0]).Reduce (v, combination<Op> ());
    }
  finish (a, v);
}
#endif

LADDER_VARIANT (cub_warp)
{
  v.rank = 900;
  v.idea = "cub::WarpReduce in the loop of grid_stride";
  v.lesson = "a warp's reduction as a building block";
  v.source = "V";
  v.grid_stride = true;
  v.shared_per_warp = 1;
#ifndef LADDER_SIM
  REDUCE_KERNELS (v, cub_warp);
#endif
}
