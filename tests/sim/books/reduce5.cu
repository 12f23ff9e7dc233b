/* Every step written out, for the block's size known at compile time.  */

#include <cooperative_groups.h>
#include "shared_of.h"

template <class T, unsigned int blockSize>
__global__ void reduce5 (T *in, T *out, unsigned int n)
{
  namespace cg = cooperative_groups;
  cg::thread_block block = cg::this_thread_block ();
  T *s = shared_of<T> ();
  unsigned t = threadIdx.x, i = blockIdx.x * (blockSize * 2) + t;

  T sum = i < n ? in[i] : 0;
  if (i + blockSize < n)
    sum += in[i + blockSize];
  s[t] = sum;
  cg::sync (block);
  if (blockSize >= 1024 && t < 512)
    s[t] = sum = sum + s[t + 512];
  cg::sync (block);
  if (blockSize >= 512 && t < 256)
    s[t] = sum = sum + s[t + 256];
  cg::sync (block);
  if (blockSize >= 256 && t < 128)
    s[t] = sum = sum + s[t + 128];
  cg::sync (block);
  if (blockSize >= 128 && t < 64)
    s[t] = sum = sum + s[t + 64];
  cg::sync (block);
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

PLAIN_REDUCE_BY_TYPE_AND_BLOCK (reduce5, v.name = "book_reduce5", v.per_thread = 2)
