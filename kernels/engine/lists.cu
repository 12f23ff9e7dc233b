/* Elements that lists of positions name, and lists of those that are not 0.  Elements are moved as bits: kernels know their widths alone.  */

#include "lists.h"

/* ---- positions ------------------------------------------------------------------------------ */

static __device__ __forceinline__ i64 list_at (const gpr_list &l, i64 k)
{
  switch ((int) l.elem)
    {
#define LIST_AT_CASE(T) case GPR_##T: return gpr_list_of_##T (((const T *) l.at)[k], l.extent);
    GPR_LIST_ELEMS (LIST_AT_CASE)
    }
  return -1;
}

/* Where element i is; negative: a position is wrong.  */
template <class I> static __device__ __forceinline__ i64 list_offset (const gpr_gather_args &a, I i)
{
  i64 offset = 0;
  bool good = true;
  for (int d = 0; d < a.rank; d++)
    {
      const gpr_list &l = a.lists[d];
      const I next = d < a.rank - 1 ? i / (I) l.count : 0, k = i - next * (I) l.count;
      const i64 at = l.at ? list_at (l, (i64) k) : l.first + l.step * (i64) k;
      good = good && at >= 0;
      offset += at * l.stride;
      i = next;
    }
  return good ? offset : -1;
}

struct __align__ (16) list_wide { u64 v[2]; };

template <class T, bool SCATTERS>
__global__ void __launch_bounds__ (GPR_LIST_THREADS) gather_k (const __grid_constant__ gpr_gather_args a)
{
  constexpr int tile = GPR_LIST_THREADS * GPR_LIST_EACH;
  const T *x = (const T *) a.x;
  T *z = (T *) a.z;
  bool bad = false;

  for (i64 first = (i64) blockIdx.x * tile + threadIdx.x; first < a.count; first += (i64) gridDim.x * tile)
    {
      i64 at[GPR_LIST_EACH];
      T v[GPR_LIST_EACH];
#pragma unroll
      for (int j = 0; j < GPR_LIST_EACH; j++)
        {
          const i64 i = first + j * GPR_LIST_THREADS;
          at[j] = i >= a.count ? -1 : a.narrow ? list_offset<u32> (a, (u32) i) : list_offset<u64> (a, (u64) i);
          bad = bad || (i < a.count && at[j] < 0);
        }
#pragma unroll
      for (int j = 0; j < GPR_LIST_EACH; j++)
        if (at[j] >= 0)
          v[j] = x[! SCATTERS ? at[j] : a.one ? 0 : first + j * GPR_LIST_THREADS];
#pragma unroll
      for (int j = 0; j < GPR_LIST_EACH; j++)
        if (at[j] >= 0)
          z[SCATTERS ? at[j] : first + j * GPR_LIST_THREADS] = v[j];
    }
  if (! SCATTERS && bad)
    a.marks[GPR_LIST_BAD] = 1;
}

/* ---- before a scatter ----------------------------------------------------------------------- */

static __global__ void __launch_bounds__ (GPR_LIST_THREADS) check_list_k (const __grid_constant__ gpr_gather_args a)
{
  const gpr_list &l = a.lists[0];
  bool bad = false, unordered = false;
  for (i64 k = (i64) blockIdx.x * GPR_LIST_THREADS + threadIdx.x; k < l.count; k += (i64) gridDim.x * GPR_LIST_THREADS)
    {
      const i64 at = list_at (l, k);
      bad = bad || at < 0;
      unordered = unordered || (k > 0 && at <= list_at (l, k - 1));
    }
  if (bad)
    a.marks[GPR_LIST_BAD] = 1;
  if (unordered)
    a.marks[GPR_LIST_UNORDERED] = 1;
}

template <bool KEEPS>
__global__ void __launch_bounds__ (GPR_LIST_THREADS) last_k (const gpr_last_args a)
{
  for (i64 k = (i64) blockIdx.x * GPR_LIST_THREADS + threadIdx.x; k < a.list.count; k += (i64) gridDim.x * GPR_LIST_THREADS)
    {
      const i64 at = list_at (a.list, k);
      if (KEEPS)
        a.kept[k] = a.last[at] == (unsigned) k + 1 ? at + 1 : 0;
      else
        atomicMax (&a.last[at], (unsigned) k + 1);
    }
}

/* ---- elements that are not 0 ---------------------------------------------------------------- */

template <class T> static __device__ __forceinline__ bool find_is (const gpr_find_args &a, T v) { return (v & (T) a.mask) != 0; }
static __device__ __forceinline__ bool find_is (const gpr_find_args &a, list_wide v) { return ((v.v[0] & a.mask) | (v.v[1] & a.last_mask)) != 0; }

template <class T> struct __align__ (4 * sizeof (T) < 16 ? 4 * sizeof (T) : 16) find_vector { T v[4]; };

/* Four neighbours from i on: a bit for each that is not 0.  */
template <class T> static __device__ __forceinline__ unsigned find_four (const gpr_find_args &a, i64 i)
{
  const T *x = (const T *) a.x;
  unsigned found = 0;
  if (i + 4 <= a.count)
    {
      const find_vector<T> all = *(const find_vector<T> *) (x + i);
#pragma unroll
      for (int j = 0; j < 4; j++)
        found |= (unsigned) find_is (a, all.v[j]) << j;
    }
  else
    for (int j = 0; j < 4 && i + j < a.count; j++)
      found |= (unsigned) find_is (a, x[i + j]) << j;
  return found;
}

/* A warp takes tiles, 128 elements at a time.  */
static __device__ __forceinline__ i64 find_first_tile () { return ((i64) blockIdx.x * GPR_LIST_THREADS + threadIdx.x) / 32; }
static __device__ __forceinline__ i64 find_tile_step () { return (i64) gridDim.x * (GPR_LIST_THREADS / 32); }
template <class T>
__global__ void __launch_bounds__ (GPR_LIST_THREADS) find_count_k (const gpr_find_args a)
{
  const int lane = threadIdx.x % 32;
  for (i64 tile = find_first_tile (); tile < a.tiles; tile += find_tile_step ())
    {
      int count = 0;
#pragma unroll 8
      for (int r = 0; r < GPR_FIND_TILE / 128; r++)
        count += __popc (find_four<T> (a, tile * GPR_FIND_TILE + r * 128 + 4 * lane));
#pragma unroll
      for (int d = 16; d > 0; d /= 2)
        count += __shfl_xor_sync (~0u, count, d);
      if (lane == 0)
        a.before[tile] = count;
    }
}

/* Sums of what comes before each tile, in one block.  */
static __global__ void __launch_bounds__ (GPR_FIND_SUM_THREADS) find_sum_k (const gpr_find_args a)
{
  __shared__ i64 sums[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  i64 carry = 0;
  for (i64 first = 0; first < a.tiles; first += GPR_FIND_SUM_THREADS)
    {
      const i64 t = first + threadIdx.x, own = t < a.tiles ? a.before[t] : 0;
      i64 sum = own, base = carry;
#pragma unroll
      for (int d = 1; d < 32; d *= 2)
        {
          const i64 other = __shfl_up_sync (~0u, sum, d);
          sum += lane >= d ? other : 0;
        }
      if (lane == 31)
        sums[warp] = sum;
      __syncthreads ();
      for (int w = 0; w < 32; w++)
        {
          base += w < warp ? sums[w] : 0;
          carry += sums[w];
        }
      if (t < a.tiles)
        a.before[t] = base + sum - own;
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    a.before[a.tiles] = carry;
}

static __device__ __forceinline__ void find_put (const gpr_find_args &a, i64 rank, i64 i)
{
  const i64 to = rank - a.skip;
  if (to < 0 || to >= a.take)
    return;
  switch ((int) a.z_elem)
    {
    case GPR_f64: ((f64 *) a.z)[to] = (f64) (i + 1); break;
    case GPR_u32: ((u32 *) a.z)[to] = (u32) (i + 1); break;
    default: ((i64 *) a.z)[to] = i + 1; break;
    }
}

template <class T>
__global__ void __launch_bounds__ (GPR_LIST_THREADS) find_k (const gpr_find_args a)
{
  const int lane = threadIdx.x % 32;
  const unsigned lower = (1u << lane) - 1;
  for (i64 tile = find_first_tile (); tile < a.tiles; tile += find_tile_step ())
    {
      i64 rank = a.before[tile];
      if (rank >= a.skip + a.take || a.before[tile + 1] <= a.skip)
        continue;
      for (int r = 0; r < GPR_FIND_TILE / 128; r++)
        {
          const i64 i = tile * GPR_FIND_TILE + r * 128 + 4 * lane;
          const unsigned found = find_four<T> (a, i);
          int before = 0, all = 0;
#pragma unroll
          for (int j = 0; j < 4; j++)
            {
              const unsigned those = __ballot_sync (~0u, found >> j & 1);
              before += __popc (those & lower);
              all += __popc (those);
            }
#pragma unroll
          for (int j = 0; j < 4; j++)
            if (found >> j & 1)
              find_put (a, rank + before + __popc (found & ((1u << j) - 1)), i + j);
          rank += all;
        }
    }
}

/* ---- by width ------------------------------------------------------------------------------- */

extern "C" const void *gpr_engine_gather (int bytes, bool scatters)
{
#define LIST_WIDTH(T) return scatters ? (const void *) gather_k<T, true> : (const void *) gather_k<T, false>
  switch (bytes)
    {
    case 1: LIST_WIDTH (u8);
    case 2: LIST_WIDTH (u16);
    case 4: LIST_WIDTH (u32);
    case 8: LIST_WIDTH (u64);
    default: LIST_WIDTH (list_wide);
    }
}

extern "C" const void *gpr_engine_find (int bytes, bool counts)
{
#define FIND_WIDTH(T) return counts ? (const void *) find_count_k<T> : (const void *) find_k<T>
  switch (bytes)
    {
    case 1: FIND_WIDTH (u8);
    case 2: FIND_WIDTH (u16);
    case 4: FIND_WIDTH (u32);
    case 8: FIND_WIDTH (u64);
    default: FIND_WIDTH (list_wide);
    }
}

extern "C" const void *gpr_engine_check_list (void) { return (const void *) check_list_k; }
extern "C" const void *gpr_engine_last (bool keeps) { return keeps ? (const void *) last_k<true> : (const void *) last_k<false>; }
extern "C" const void *gpr_engine_find_sum (void) { return (const void *) find_sum_k; }
