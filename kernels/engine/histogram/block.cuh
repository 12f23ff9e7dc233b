/* What a block has to count with: its group's bins, and a table in shared memory.  */

#ifndef GPR_ENGINE_HISTOGRAM_BLOCK_CUH
#define GPR_ENGINE_HISTOGRAM_BLOCK_CUH

#include "counters.cuh"

/* x as a T.  To convert 16 bits is slow; written below 2^23 they are a float.  */
template <class T, class X> static __device__ __forceinline__ T as (X x) { return (T) x; }
template <> __device__ __forceinline__ f32 as<f32> (u16 x) { return __int_as_float (0x4B000000 | x) - 8388608.0f; }
template <> __device__ __forceinline__ f32 as<f32> (i16 x)
{
  return __int_as_float (0x4B000000 | ((u16) x ^ 0x8000)) - (8388608.0f + 32768.0f);
}

template <class T> struct counting_block {
  u32 worker, workers;          /* which of the group's blocks it is */
  u32 size;
  cells<T> c;
  u32 *table;
  counters t;
};

/* Shared memory has the cuts, if they are to be there, the buckets and the table, which is cleared.  */
template <class T>
static __device__ __forceinline__ counting_block<T> begin_counting (const gpr_histogram_args &a, unsigned char *shared)
{
  const u32 threads = blockDim.x, me = threadIdx.x;
  const u32 group = blockIdx.x % a.groups, first_bin = group * (u32) a.size;
  counting_block<T> b;

  b.worker = blockIdx.x / a.groups;
  b.workers = gridDim.x / a.groups;
  b.size = (u32) a.bins - first_bin < (u32) a.size ? (u32) a.bins - first_bin : (u32) a.size;
  b.c = cells_of<T> (a, first_bin);
  b.table = (u32 *) shared;
  if (a.cuts_shared)
    {
      T *s = (T *) shared;
      b.table = (u32 *) (s + a.inside + 1);
      for (u32 i = me; i <= (u32) a.inside; i += threads)
        s[i] = b.c.cuts[i];
      b.c.shared_cuts = s;
    }
  for (u32 i = me; i < (u32) a.bucket_count; i += threads)
    b.table[i] = a.buckets[i];
  b.c.buckets = b.table;
  b.table += a.bucket_count;
  const u32 words = a.store == GPR_HISTOGRAM_WIDE ? (b.size + 1) * a.copies : a.store == GPR_HISTOGRAM_PACKED ? (b.size + 1) / 2 : 0;
  for (u32 i = me; i < words; i += threads)
    b.table[i] = 0;
  __syncthreads ();
  b.t = { b.table + (a.store == GPR_HISTOGRAM_WIDE ? (me & (a.copies - 1)) + a.copies : 0), a.counts + first_bin, b.size, 4 * (u32) a.copies };
  return b;
}

template <class T>
static __device__ __forceinline__ void end_counting (const gpr_histogram_args &a, const counting_block<T> &b)
{
  __syncthreads ();
  if (a.store != GPR_HISTOGRAM_GLOBAL)
    deliver (a, b.table, b.t.counts, b.size);
}

#endif
