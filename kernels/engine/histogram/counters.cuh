/* The counters of a block, and how its threads add to them.  */

#ifndef GPR_ENGINE_HISTOGRAM_COUNTERS_CUH
#define GPR_ENGINE_HISTOGRAM_COUNTERS_CUH

#include "bins.cuh"

struct counters {
  u32 *table;                   /* WIDE: this lane's counter of bin 0; before it that of NONE */
  unsigned long long *counts;   /* of this group's bins, as many as size says */
  u32 size;
  u32 stride;                   /* WIDE: bytes from a bin's counters to the next one's */
};

/* A packed counter at or beyond HALF gives HALF of it to the counts.  A thread adds a
   batch, then relieves what it found half full, so what is not yet relieved is below
   HALF and a batch of each thread: 16 bits hold it.  */
enum : u32 { HALF = 0x8000 };
static_assert (HALF + GPR_HISTOGRAM_THREADS * GPR_HISTOGRAM_BATCH <= 0x10000, "packed counters overflow");

static __device__ __noinline__ void relieve (u32 *word, u32 shift, unsigned long long *count)
{
  u32 now = atomicAdd (word, 0u);
  while ((now >> shift & 0xFFFF) >= HALF)
    {
      u32 seen = atomicCAS (word, now, now - (HALF << shift));
      if (seen == now)
        {
          atomicAdd (count, (unsigned long long) HALF);
          return;
        }
      now = seen;
    }
}

/* Counts k where it is a bin of the group; a WIDE table has a counter for NONE, to spare the
   branch.  Returns whether the counter is to be relieved.  */
template <gpr_histogram_store store>
static __device__ __forceinline__ bool add (const counters &t, u32 k, u32 count)
{
  if (store == GPR_HISTOGRAM_WIDE)
    atomicAdd ((u32 *) ((char *) t.table + (i32) (k * t.stride)), count);
  else if (k >= t.size)
    ;
  else if (store == GPR_HISTOGRAM_GLOBAL)
    atomicAdd (t.counts + k, (unsigned long long) count);
  else
    {
      u32 shift = k % 2 * 16, old = atomicAdd (t.table + k / 2, count << shift);
      return (old >> shift & 0xFFFF) + count >= HALF;
    }
  return false;
}

template <gpr_histogram_store store, int N>
static __device__ __forceinline__ void add_each (const counters &t, const u32 (&k)[N])
{
  u32 full = 0;
#pragma unroll
  for (int i = 0; i < N; i++)
    full |= (u32) add<store> (t, k[i], 1) << i;
  if (store == GPR_HISTOGRAM_PACKED && full)
#pragma unroll
    for (int i = 0; i < N; i++)
      if (full >> i & 1)
        relieve (t.table + k[i] / 2, k[i] % 2 * 16, t.counts + k[i]);
}

/* hot is the warp's, and so is every branch on it.  */
template <gpr_histogram_store store, int N>
static __device__ __forceinline__ void add_hot (const counters &t, u32 (&k)[N], u32 hot)
{
  u32 count = 0;
#pragma unroll
  for (int i = 0; i < N; i++)
    {
      count += __popc (__ballot_sync (EVERY_LANE, k[i] == hot));
      k[i] = k[i] == hot ? (u32) NONE : k[i];
    }
  add_each<store> (t, k);
  if (threadIdx.x % 32 == 0 && add<store> (t, hot, count))
    relieve (t.table + hot / 2, hot % 2 * 16, t.counts + hot);
}

/* Is there a bin that many lanes of the warp have?  The last one that was, or the
   first lane's.  */
static __device__ __forceinline__ bool is_hot (u32 k, u32 *hot)
{
  const int many = 8;
  int lanes = __popc (__ballot_sync (EVERY_LANE, k == *hot));
  if (lanes >= many)
    return true;
  u32 other = __shfl_sync (EVERY_LANE, k, 0);
  if (__popc (__ballot_sync (EVERY_LANE, k == other)) < many)
    return false;
  *hot = other;
  return true;
}

template <gpr_histogram_store store, int N>
static __device__ __forceinline__ void add_watching (const counters &t, u32 (&k)[N], u32 *hot)
{
  if (is_hot (k[0], hot))
    add_hot<store> (t, k, *hot);
  else
    add_each<store> (t, k);
}

/* Shared memory adds what the lanes of a warp add to a WIDE counter at once by itself: watching
   for a hot bin costs 4 to 15 % there.  The other counters want it: nearly 4 times as fast where
   all elements are the same, 5 % slower at random.  */
template <gpr_histogram_store store, int N>
static __device__ __forceinline__ void add_to (const counters &t, u32 (&k)[N], u32 *hot)
{
  if constexpr (store == GPR_HISTOGRAM_WIDE)
    add_each<store> (t, k);
  else
    add_watching<store> (t, k, hot);
}

template <int N>
static __device__ __forceinline__ void histogram (const gpr_histogram_args &a, const counters &t, u32 (&k)[N], u32 *hot)
{
  if (a.store == GPR_HISTOGRAM_WIDE)
    add_to<GPR_HISTOGRAM_WIDE> (t, k, hot);
  else if (a.store == GPR_HISTOGRAM_PACKED)
    add_to<GPR_HISTOGRAM_PACKED> (t, k, hot);
  else
    add_to<GPR_HISTOGRAM_GLOBAL> (t, k, hot);
}

/* The table's counters, added up and added to the counts; each block begins elsewhere.  */
static __device__ void deliver (const gpr_histogram_args &a, const u32 *table, unsigned long long *counts, u32 size)
{
  const u32 copies = a.copies, words = a.store == GPR_HISTOGRAM_PACKED ? (size + 1) / 2 : size;
  const u32 first = (u32) ((u64) words * blockIdx.x / gridDim.x);
  for (u32 i = threadIdx.x; i < words; i += blockDim.x)
    {
      u32 w = i + first < words ? i + first : i + first - words, sum = 0;
      if (a.store == GPR_HISTOGRAM_PACKED)
        {
          u32 both = table[w];
          if (both & 0xFFFF)
            atomicAdd (counts + 2 * w, (unsigned long long) (both & 0xFFFF));
          if (both >> 16)
            atomicAdd (counts + 2 * w + 1, (unsigned long long) (both >> 16));
          continue;
        }
      for (u32 j = 0; j < copies; j++)
        sum += table[(w + 1) * copies + ((j + threadIdx.x) & (copies - 1))];
      if (sum)
        atomicAdd (counts + w, (unsigned long long) sum);
    }
}

#endif
