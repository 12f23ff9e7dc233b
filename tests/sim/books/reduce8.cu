/* Cooperative groups reduce each tile; thread 0 adds the tiles' results.  */

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include "shared_of.h"

template <class T>
__global__ void reduce8 (T *in, T *out, unsigned int n)
{
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block ();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32> (block);
  T *s = shared_of<T> ();
  unsigned rank = block.thread_rank ();

  T sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + rank; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  s[rank] = sum;
  cg::sync (block);
  s[rank] = cg::reduce (tile, s[rank], cg::plus<T> ());
  cg::sync (block);
  if (rank == 0)
    {
      T all = 0;
      for (unsigned i = 0; i < block.size (); i += tile.size ())
        all += s[i];
      out[blockIdx.x] = all;
    }
}

PLAIN_REDUCE_BY_TYPE (reduce8, v.name = "book_reduce8", v.grid_stride = true)
