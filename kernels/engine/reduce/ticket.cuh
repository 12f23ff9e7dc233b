/* Tickets: the block that finishes the last unit of an output merges its parts.  */

#ifndef GPR_REDUCE_TICKET_CUH
#define GPR_REDUCE_TICKET_CUH

#include "parts.cuh"

/* So many units of an output are done, and written by the first writers of the block's threads.
   True, in every thread, if no other is left: then what all blocks wrote is seen.  */
static __device__ __forceinline__ bool gpr_arrive (const gpr_reduce_args &a, int64_t output, int units, int writers)
{
  __shared__ bool last;
  if (gridDim.x == 1 && a.units == a.all_parts)         /* no other block */
    {
      __syncthreads ();
      return true;
    }
  if ((int) threadIdx.x < writers)
    __threadfence ();
  if (writers > 32)
    __syncthreads ();
  else
    __syncwarp ();
  if (threadIdx.x == 0)
    {
      last = atomicAdd (a.tickets + output, (unsigned) units) + units == (unsigned) a.all_parts;
      if (last)
        a.tickets[output] = 0;
    }
  __syncthreads ();
  if (last)
    __threadfence ();
  return last;
}

/* The block with a tile's last ticket merges the parts of its columns.  */
template <class F>
static __device__ __forceinline__ int gpr_merge_tile (const gpr_reduce_args &a, int64_t outer, int64_t tile, typename F::A *tree)
{
  const int64_t first = tile * a.columns, end = min ((long long) (first + a.columns), (long long) a.out_columns);
  int needs_fixup = 0, width = 1;
  while (width < end - first && width < GPR_REDUCE_THREADS)
    width *= 2;
#pragma unroll 1
  for (int64_t c = first; c < end; c += width)
    {
      needs_fixup |= gpr_store_parts<F> (a, outer, c, width, tree);
      __syncthreads ();
    }
  return needs_fixup;
}

#endif
