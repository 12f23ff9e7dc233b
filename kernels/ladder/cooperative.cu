/* cooperative: cooperative groups name who works together: warp, block, grid; and
   the grid can wait for all of its blocks.

   Change from grid_stride: groups for index arithmetic and masks; the finish is
   part of the kernel: all blocks meet, then one combines their values.
   Better: the whole reduction in one launch, without atomics or a ticket; code
   that says what it means.
   Still wrong: all blocks must be on the GPU at once, so it takes a launch of its
   own kind (cudaLaunchCooperativeKernel), and all wait for the slowest.
   Work n - 1, steps n / (blocks * B) + 10 + log2 B, barriers 1 a block, 1 of the
   grid, log2 B in one block.
   Limit: memory; for small n the launch and the grid's barrier.  */

#include "ladder.h"

namespace cg = cooperative_groups;

template <class Op>
__global__ void cooperative (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();
  cg::grid_group grid = cg::this_grid ();
  cg::thread_block block = cg::this_thread_block ();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32> (block);
  int t = block.thread_rank ();

  T v = Op::identity ();
  for (int64_t i = grid.thread_rank (); i < a.n; i += grid.size ())
    v = Op::combine (v, a.x[i]);
  for (int stride = warp.size () / 2; stride > 0; stride /= 2)
    v = Op::combine (v, warp.shfl_down (v, stride));
  if (warp.thread_rank () == 0)
    s[t / 32] = v;
  block.sync ();
  if (t < 32)
    {
      v = t < block.size () / 32 ? s[t] : Op::identity ();
      for (int stride = warp.size () / 2; stride > 0; stride /= 2)
        v = Op::combine (v, warp.shfl_down (v, stride));
    }
  if (t == 0)
    a.partial[blockIdx.x] = v;
  grid.sync ();
  if (blockIdx.x == 0)
    reduce_partials<Op> (a.partial, gridDim.x, a.result);
}

LADDER_VARIANT (cooperative)
{
  v.rank = 180;
  v.aliases = "S K7";
  v.idea = "cooperative groups, and a barrier of the whole grid";
  v.lesson = "the whole reduction in one launch";
  v.wrong = "all blocks must run at once, and all wait for the slowest";
  v.source = "S's text for K7 (what it timed as K7 is warp_reduce_hw)";
  v.grid_stride = true;
  v.shared_per_warp = 1;
  v.finishes = 1u << LADDER_GRID_SYNC;
  v.default_finish = LADDER_GRID_SYNC;
  REDUCE_KERNELS (v, cooperative);
}
