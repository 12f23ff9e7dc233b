/* Counting a long run of elements that lie in memory: histogram.h.  As many blocks as run at once
   stride through it by 16-byte loads; each counts in shared memory and adds
   its table to the counts at the end.  */

#include "histogram.h"
#include "histogram/block.cuh"

/* ---- kernels ----------------------------------------------------------------------------- */

/* Elements before the first that is aligned to 16 bytes.  */
template <class X>
static __device__ __forceinline__ u32 head_of (const X *x, u32 n)
{
  u32 head = (u32) (-(uintptr_t) x % 16 / sizeof (X));
  return head < n ? head : n;
}

template <class X, class T>
__global__ void __launch_bounds__ (GPR_HISTOGRAM_THREADS, 1) histogram_k (const gpr_histogram_args a)
{
  extern __shared__ __align__ (16) unsigned char raw[];
  enum { V = 16 / sizeof (X), LOADS = 4, N = V * LOADS };
  static_assert (N % GPR_HISTOGRAM_BATCH == 0 && N <= 32, "batches, and a bit for each element");

  const counting_block<T> b = begin_counting<T> (a, raw);
  const u32 threads = blockDim.x, me = threadIdx.x, lane = me % 32;
  const X *x = (const X *) a.x;
  const u32 head = head_of (x, a.n), vectors = (a.n - head) / V, ragged = a.n - vectors * V;
  const u32 all = b.workers * threads;
  const uint4 *from = (const uint4 *) (x + head);
  u32 hot = NONE, i = b.worker * threads + me;
  uint4 next[LOADS];
  auto load = [&] {
#pragma unroll
    for (int j = 0; j < LOADS; j++)
      next[j] = __ldcs (from + min (i + j * all, vectors - 1));
  };
  /* The next elements are on their way while these are counted; doubles leave no registers
     for them.  */
  const bool ahead = sizeof (T) == 4;
  bool more = i - lane < vectors;
  if (ahead && more)
    load ();
  while (more)
    {
      X e[N];
      if (! ahead)
        load ();
      memcpy (e, next, sizeof e);
      u32 past = 0;
      if (i - lane + 31 + (LOADS - 1) * all >= vectors)
        for (u32 j = 0; j < LOADS; j++)
          if (i + j * all >= vectors)
            past |= ((1u << V) - 1) << j * V;
      i += LOADS * all;
      more = i - lane < vectors;
      if (ahead && more)
        load ();
#pragma unroll
      for (int step = 0; step < N; step += GPR_HISTOGRAM_BATCH)
        {
          T y[GPR_HISTOGRAM_BATCH];
          u32 k[GPR_HISTOGRAM_BATCH];
#pragma unroll
          for (int j = 0; j < GPR_HISTOGRAM_BATCH; j++)
            y[j] = as<T> (e[step + j]);
          find_bins (b.c, y, past >> step & ((1u << GPR_HISTOGRAM_BATCH) - 1), k);
          histogram (a, b.t, k, &hot);
        }
    }

  /* The ends that are not aligned: fewer than 32 elements.  */
  if (b.worker == 0 && me < 32 && ragged > 0)
    {
      T y[1] = { as<T> (x[me < head ? me : me < ragged ? me + vectors * V : 0]) };
      u32 k[1];
      find_bins (b.c, y, (u32) (me >= ragged), k);
      histogram (a, b.t, k, &hot);
    }
  end_counting (a, b);
}

/* A counter for each value and lane, all of a lane in one bank: the lanes of a warp never wait
   for each other.  A value's counters are 256 bytes from the next one's, of which they take 128:
   then one instruction puts an address together, of the value and the lane.  */
static __device__ __forceinline__ void histogram_word (unsigned char *table, u32 lane, u32 w, bool merge)
{
  auto at = [&] (u32 bytes) { return (u32 *) (table + __byte_perm (w, lane, bytes)); };
  if (merge && w == __byte_perm (w, 0, 0))
    {
      atomicAdd (at (0x5504), 4u);
      return;
    }
  atomicAdd (at (0x5504), 1u);
  atomicAdd (at (0x5514), 1u);
  atomicAdd (at (0x5524), 1u);
  atomicAdd (at (0x5534), 1u);
}

/* Two blocks at once where a multiprocessor has 2048 threads and their shared memory.  */
#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000)
enum { BYTE_BLOCKS = 2 };
#else
enum { BYTE_BLOCKS = 1 };
#endif
__global__ void __launch_bounds__ (GPR_HISTOGRAM_THREADS, BYTE_BLOCKS) histogram_bytes_k (const gpr_histogram_bytes_args a)
{
  extern __shared__ __align__ (16) unsigned char raw[];
  enum { LOADS = 4, STRIDE = GPR_HISTOGRAM_BYTES_SHARED / 256 / 4 };
  const u32 threads = blockDim.x, me = threadIdx.x, lane = me % 32 * 4, all = gridDim.x * threads;
  u32 *table = (u32 *) raw;

  const u8 *x = (const u8 *) a.x;
  const u32 head = head_of (x, a.n), vectors = (a.n - head) / 16, ragged = a.n - vectors * 16;
  const uint4 *from = (const uint4 *) (x + head);
  u32 i = blockIdx.x * threads + me;
  uint4 v[LOADS];
  bool more;
  auto load = [&]
  {
    more = i < vectors && vectors - i > (LOADS - 1) * all;
    if (more)
#pragma unroll
      for (int j = 0; j < LOADS; j++)
        v[j] = __ldcs (from + i + j * all);
  };
  load ();                      /* on their way while the table is cleared */
  for (u32 k = me; k < 256 * 32; k += threads)
    table[k / 32 * STRIDE + k % 32] = 0;
  __syncthreads ();

  while (more)
    {
#pragma unroll
      for (int j = 0; j < LOADS; j++)
        {
          histogram_word (raw, lane, v[j].x, a.merge);
          histogram_word (raw, lane, v[j].y, a.merge);
          histogram_word (raw, lane, v[j].z, a.merge);
          histogram_word (raw, lane, v[j].w, a.merge);
        }
      i += LOADS * all;
      load ();
    }
  for (; i < vectors; i += all)
    {
      uint4 v = __ldcs (from + i);
      histogram_word (raw, lane, v.x, a.merge);
      histogram_word (raw, lane, v.y, a.merge);
      histogram_word (raw, lane, v.z, a.merge);
      histogram_word (raw, lane, v.w, a.merge);
    }
  if (blockIdx.x == 0 && me < ragged)
    atomicAdd (table + x[me < head ? me : me + vectors * 16] * STRIDE + me % 32, 1u);
  __syncthreads ();

  /* Four lanes add up a value's 32 counters.  */
  for (u32 value = me / 4; value < 256; value += threads / 4)
    {
      u32 sum = 0;
      for (u32 j = 0; j < 8; j++)
        sum += table[value * STRIDE + me % 4 * 8 + (j + value) % 8];
      sum += __shfl_xor_sync (EVERY_LANE, sum, 1);
      sum += __shfl_xor_sync (EVERY_LANE, sum, 2);
      if (me % 4 == 0 && sum && a.bin[value] >= 0)
        atomicAdd (a.counts + a.bin[value], (unsigned long long) sum);
    }
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Integers of 16 bits are compared in single, which holds them all.  */
extern "C" const void *gpr_engine_histogram (enum gpr_elem elem, enum gpr_elem compared)
{
#define HISTOGRAM_KERNEL(X, T) \
  if (elem == GPR_##X && compared == GPR_##T) \
    return (const void *) histogram_k<X, T>;
  HISTOGRAM_KERNEL (f32, f32)
  HISTOGRAM_KERNEL (f32, f64)
  HISTOGRAM_KERNEL (f64, f32)
  HISTOGRAM_KERNEL (f64, f64)
  HISTOGRAM_KERNEL (i16, f32)
  HISTOGRAM_KERNEL (u16, f32)
  HISTOGRAM_KERNEL (i32, i32)
  HISTOGRAM_KERNEL (i32, f64)
  HISTOGRAM_KERNEL (u32, u32)
  HISTOGRAM_KERNEL (u32, f64)
  HISTOGRAM_KERNEL (i64, f64)
  HISTOGRAM_KERNEL (u64, f64)
  return 0;
}

extern "C" const void *gpr_engine_histogram_bytes (void)
{
  return (const void *) histogram_bytes_k;
}
