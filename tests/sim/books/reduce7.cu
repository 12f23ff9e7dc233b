/* Warps reduce by one instruction, then the first warp their results, in the lanes that a vote names.  */

#include "shared_of.h"

static __device__ __forceinline__ int warp_sum (unsigned int mask, int sum)
{
  return __reduce_add_sync (mask, sum);
}

template <unsigned int blockSize, bool nIsPow2>
__global__ void reduce7 (const int *__restrict__ in, int *__restrict__ out, unsigned int n)
{
  extern __shared__ int of_ints[];
  unsigned t = threadIdx.x, width = blockSize * gridDim.x;
  unsigned rest = blockSize & 31, mask = 0xffffffffu >> (rest > 0 ? 32 - rest : 0);
  int sum = 0;

  if (nIsPow2)
    {
      width <<= 1;
      for (unsigned i = blockIdx.x * blockSize * 2 + t; i < n; i += width)
        {
          sum += in[i];
          if (i + blockSize < n)
            sum += in[i + blockSize];
        }
    }
  else
    for (unsigned i = blockIdx.x * blockSize + t; i < n; i += width)
      sum += in[i];
  sum = warp_sum (mask, sum);
  if (t % warpSize == 0)
    of_ints[t / warpSize] = sum;
  __syncthreads ();
  const unsigned warps = blockSize / warpSize > 0 ? blockSize / warpSize : 1;
  const unsigned first = __ballot_sync (mask, t < warps);
  if (t < warps)
    sum = warp_sum (first, of_ints[t]);
  if (t == 0)
    out[blockIdx.x] = sum;
}

PLAIN_REDUCE_OF_TYPE (book_reduce7, int, (reduce7<B, false>), v.grid_stride = true, v.shared_per_thread = 0, v.shared_per_warp = 1)
