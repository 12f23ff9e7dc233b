/* Tiles of several warps, which add to the one result.  */

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

template <class T, unsigned int blockSize, unsigned int tileSize>
__global__ void reduce9 (T *in, T *out, unsigned int n)
{
  namespace cg = cooperative_groups;
  __shared__ cg::block_tile_memory<blockSize> memory;
  auto block = cg::this_thread_block (memory);
  auto tile = cg::tiled_partition<tileSize> (block);
  unsigned width = blockSize * gridDim.x;

  T sum = 0;
  for (unsigned i = blockIdx.x * blockSize + threadIdx.x; i < n; i += width)
    sum += in[i];
  sum = cg::reduce (tile, sum, cg::plus<T> ());
  if (tile.thread_rank () == 0)
    atomicAdd (out, sum);
}

PLAIN_REDUCE_OF (book_reduce9, (reduce9<T, B, (B > 64 ? 64 : B)>), atomic_out (v), v.grid_stride = true, v.shared_per_thread = 0)
