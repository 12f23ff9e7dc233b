/* The last warp's steps are shuffles of a tile; the block's size is a template argument.  */

#include <cooperative_groups.h>
#include "shared_of.h"

template <class T, unsigned int blockSize>
__global__ void reduce4 (T *in, T *out, unsigned int n)
{
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block ();
  T *s = shared_of<T> ();
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

  T sum = i < n ? in[i] : 0;
  if (i + blockSize < n)
    sum += in[i + blockSize];
  s[t] = sum;
  cg::sync (block);
  for (unsigned step = blockDim.x / 2; step > 32; step >>= 1)
    {
      if (t < step)
        s[t] = sum = sum + s[t + step];
      cg::sync (block);
    }
  cg::thread_block_tile<32> tile = cg::tiled_partition<32> (block);
  if (block.thread_rank () < 32)
    {
      if (blockSize >= 64)
        sum += s[t + 32];
      for (int step = tile.size () / 2; step > 0; step /= 2)
        sum += tile.shfl_down (sum, step);
    }
  if (block.thread_rank () == 0)
    out[blockIdx.x] = sum;
}

PLAIN_REDUCE_BY_TYPE_AND_BLOCK (reduce4, v.name = "book_reduce4", v.per_thread = 2)
