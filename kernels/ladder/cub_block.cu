/* cub_block: CUB's reduction of a block, in the loop of grid_stride.

   Change from grid_stride: cub::BlockReduce for the shuffles and the shared
   memory.
   Better: nothing to get wrong, and tuned for every size of block, which must be
   a constant.
   Limit: memory, as far as enough loads are on their way.  */

#include "ladder.h"

#ifndef LADDER_SIM              /* CUB runs on GPUs only */
#include <cub/block/block_reduce.cuh>

#include "library.h"

template <class Op, int B>
__global__ void cub_block (reduce_args<Op> a)
{
  typedef typename Op::T T;
  typedef cub::BlockReduce<T, B> block_reduce;
  __shared__ typename block_reduce::TempStorage memory;
  int64_t me = (int64_t) blockIdx.x * B + threadIdx.x, all = (int64_t) gridDim.x * B;

  T v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = Op::combine (v, a.x[i]);
  v = block_reduce (memory).Reduce (v, combination<Op> ());     /* thread 0's */
  finish (a, v);
}
#endif

LADDER_VARIANT (cub_block)
{
  v.rank = 910;
  v.idea = "cub::BlockReduce in the loop of grid_stride";
  v.lesson = "a block's reduction as a building block";
  v.source = "V";
  v.grid_stride = true;
#ifndef LADDER_SIM
  REDUCE_KERNELS_BY_BLOCK (v, cub_block);
#endif
}
