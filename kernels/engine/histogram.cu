/* Counting a long run of elements: histogram.h.  As many blocks as run at once
   stride through it by 16-byte loads; each counts in shared memory and adds
   its table to the counts at the end.  */

#include "histogram.h"

enum : u32 { NONE = 0xFFFFFFFF, EVERY_LANE = 0xFFFFFFFF };

/* ---- bins ------------------------------------------------------------------------- */

/* What t is of.  */
template <class T> struct estimate_of { typedef f32 type; };
template <> struct estimate_of<f64> { typedef f64 type; };

/* As gpr_histogram_args, of the type compared in; bins count from the group's first one.  */
template <class T> struct cells {
  typedef typename estimate_of<T>::type R;
  gpr_find find;
  const T *cuts;                /* the finite ones */
  const T *shared_cuts;         /* the same where a search is to read them, or NULL */
  i32 base, last;               /* the bin below finite cut 0, less one; that of Inf */
  bool infinite;                /* Inf has a bin of its own */
  T top, low;
  R scale, step, limit, near;
  R most;                       /* "spaced": the last bin */
  const u32 *buckets;
  R last_bucket;
};

template <class T>
static __device__ __forceinline__ cells<T> cells_of (const gpr_histogram_args &a, u32 first_bin)
{
  typedef typename cells<T>::R R;
  const bool spaced = a.find == GPR_FIND_SPACED;
  cells<T> c;
  c.find = a.find;
  c.cuts = (const T *) a.cuts + a.before;
  c.shared_cuts = 0;
  c.base = (spaced ? 0 : a.before) - (i32) first_bin;
  c.last = a.cut_count - 1 - (i32) first_bin;
  c.infinite = a.before + a.inside < a.cut_count && a.top == INFINITY;
  c.top = (T) a.top;
  c.low = (T) a.low;
  c.scale = (R) a.scale;
  c.step = (R) a.step;
  c.limit = spaced ? (R) a.bins - (R) 1.5 : (R) a.inside - (R) 0.5;
  c.near = (R) a.near;
  c.most = (R) (a.bins - 1);
  c.buckets = a.buckets;
  c.last_bucket = (R) (a.bucket_count - 1);
  return c;
}

/* Added to t, |t| < 2^22, it leaves a whole number in the low bits: rounded as the sum is.  */
static __device__ __forceinline__ f32 magic (f32) { return 12582912.0f; }               /* 1.5 * 2^23 */
static __device__ __forceinline__ f64 magic (f64) { return 6755399441055744.0; }        /* 1.5 * 2^52 */
static __device__ __forceinline__ i32 low_bits (f32 c) { return __float_as_int (c) - 0x4B400000; }
static __device__ __forceinline__ i32 low_bits (f64 c) { return __double2loint (c); }
static __device__ __forceinline__ f32 add_down (f32 x, f32 y) { return __fadd_rd (x, y); }
static __device__ __forceinline__ f64 add_down (f64 x, f64 y) { return __dadd_rd (x, y); }
static __device__ __forceinline__ f32 add_up (f32 x, f32 y) { return __fadd_ru (x, y); }
static __device__ __forceinline__ f64 add_up (f64 x, f64 y) { return __dadd_ru (x, y); }

/* Of a t that is NaN: least.  */
template <class T>
static __device__ __forceinline__ T clamped (T t, T least, T most)
{
  return fmin (fmax (t, least), most);
}

static __device__ __forceinline__ f32 estimate (const cells<f32> &c, f32 x) { return (x - c.low) * c.scale; }
static __device__ __forceinline__ f64 estimate (const cells<f64> &c, f64 x) { return (x - c.low) * c.scale; }
/* The difference of integers is exact, but it wraps below low.  */
template <class T>
static __device__ __forceinline__ f32 estimate (const cells<T> &c, T x)
{
  f32 t = (f32) ((u32) x - (u32) c.low) * c.scale;
  return x < c.low ? -1.0f : t;
}

/* If t (x) > k + near then x is above cut k, whose t is no larger than that; if t (x) <
   k - near, below.  So near the whole number k only cut k is in question, and elsewhere
   none is.  */
template <bool alone, class T, int N>
static __device__ __forceinline__ void find_even (const cells<T> &c, const T (&x)[N], u32 (&k)[N])
{
  typedef typename cells<T>::R R;
#pragma unroll
  for (int i = 0; i < N; i++)
    {
      R t = clamped (estimate (c, x[i]), (R) -0.5, c.limit);
      if (alone)
        k[i] = (u32) (c.base + low_bits (add_down (t, magic (t))));
      else
        {
          R rounded = t + magic (t), d = t - (rounded - magic (t));
          i32 cut = low_bits (rounded);
          bool below = d < 0;
          if (fabs (d) <= c.near)
            below = __ldg (c.cuts + cut) > x[i];
          k[i] = (u32) (c.base + cut - below);
        }
    }
}

/* t and the rule's quotient are the same difference times the rounded 1 / step and by step:
   they differ by less than 4 units in the last place, which near covers.  */
template <class T, int N>
static __device__ __forceinline__ void find_spaced (const cells<T> &c, const T (&x)[N], u32 (&k)[N])
{
  u32 doubt = 0;
#pragma unroll
  for (int i = 0; i < N; i++)
    {
      T t = clamped ((x[i] - c.low) * c.scale, (T) -0.5, c.limit);
      T raised = add_up (t, magic (t)), d = (raised - magic (t)) - t;
      k[i] = (u32) (c.base + low_bits (raised));
      if (fabs (d - (T) 0.5) >= (T) 0.5 - c.near || ! (x[i] < c.top))
        doubt |= 1u << i;
    }
  if (doubt)
#pragma unroll
    for (int i = 0; i < N; i++)
      if (doubt >> i & 1)
        {
          T q = clamped (ceil ((x[i] - c.low) / c.step), (T) 0, c.most);
          k[i] = x[i] == x[i] ? (u32) (c.base + (i32) q) : (u32) NONE;
        }
}

/* Cuts before from are not above x, those from end on are, or there is none.  */
template <bool shared, class T, int N>
static __device__ __forceinline__ void find_narrowed (const cells<T> &c, const T (&x)[N], u32 (&k)[N])
{
  auto cut = [&] (u32 i) { return shared ? c.shared_cuts[i] : __ldg (c.cuts + i); };
#pragma unroll
  for (int i = 0; i < N; i++)
    {
      u32 bounds = c.buckets[(u32) clamped ((x[i] - c.low) * c.scale, (T) 0, c.last_bucket)];
      u32 from = bounds & 0xFFFF, end = bounds >> 16;
      while (end - from > 1)
        {
          u32 middle = (from + end) / 2;
          if (cut (middle) <= x[i])
            from = middle + 1;
          else
            end = middle;
        }
      k[i] = (u32) c.base + from - (cut (from) <= x[i] ? 0 : 1);
    }
}

/* From -1, which is NONE, to the last bin where there is one group; NONE for those whose bit
   is set in past.  Integers are compared as such where the rule is "even" only.  */
template <class T, int N>
static __device__ __forceinline__ void find_bins (const cells<T> &c, const T (&x)[N], u32 past, u32 (&k)[N])
{
  const bool real = (T) 0.5 != 0;
  if (! real || c.find == GPR_FIND_EVEN)
    {
      if (c.near < 0)
        find_even<true> (c, x, k);
      else
        find_even<false> (c, x, k);
    }
  else if constexpr (real)
    {
      if (c.find == GPR_FIND_SPACED)
        find_spaced (c, x, k);
      else if (c.shared_cuts)
        find_narrowed<true> (c, x, k);
      else
        find_narrowed<false> (c, x, k);
    }
  if (! real || c.find != GPR_FIND_SPACED)
#pragma unroll
    for (int i = 0; i < N; i++)
      k[i] = x[i] <= c.top ? k[i] : (u32) NONE;
  if constexpr (real)
    if (c.infinite)
#pragma unroll
      for (int i = 0; i < N; i++)
        k[i] = x[i] == (T) INFINITY ? (u32) c.last : k[i];
  if (past)
#pragma unroll
    for (int i = 0; i < N; i++)
      k[i] = past >> i & 1 ? (u32) NONE : k[i];
}

/* ---- counters ------------------------------------------------------------------------ */

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
template <int N>
static __device__ __forceinline__ void histogram (const gpr_histogram_args &a, const counters &t, u32 (&k)[N], u32 *hot)
{
  if (a.store == GPR_HISTOGRAM_WIDE)
    add_each<GPR_HISTOGRAM_WIDE> (t, k);
  else if (a.store == GPR_HISTOGRAM_PACKED)
    add_watching<GPR_HISTOGRAM_PACKED> (t, k, hot);
  else
    add_watching<GPR_HISTOGRAM_GLOBAL> (t, k, hot);
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

/* ---- kernels ----------------------------------------------------------------------------- */

/* x as a T.  To convert 16 bits is slow; written below 2^23 they are a float.  */
template <class T, class X> static __device__ __forceinline__ T as (X x) { return (T) x; }
template <> __device__ __forceinline__ f32 as<f32> (u16 x) { return __int_as_float (0x4B000000 | x) - 8388608.0f; }
template <> __device__ __forceinline__ f32 as<f32> (i16 x)
{
  return __int_as_float (0x4B000000 | ((u16) x ^ 0x8000)) - (8388608.0f + 32768.0f);
}

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

  const u32 threads = blockDim.x, me = threadIdx.x, lane = me % 32;
  const u32 group = blockIdx.x % a.groups, worker = blockIdx.x / a.groups, workers = gridDim.x / a.groups;
  const u32 first_bin = group * (u32) a.size;
  const u32 size = (u32) a.bins - first_bin < (u32) a.size ? (u32) a.bins - first_bin : (u32) a.size;

  cells<T> c = cells_of<T> (a, first_bin);
  u32 *table = (u32 *) raw;
  if (a.cuts_shared)
    {
      T *s = (T *) raw;
      table = (u32 *) (s + a.inside + 1);
      for (u32 i = me; i <= (u32) a.inside; i += threads)
        s[i] = c.cuts[i];
      c.shared_cuts = s;
    }
  for (u32 i = me; i < (u32) a.bucket_count; i += threads)
    table[i] = a.buckets[i];
  c.buckets = table;
  table += a.bucket_count;
  const u32 words = a.store == GPR_HISTOGRAM_WIDE ? (size + 1) * a.copies : a.store == GPR_HISTOGRAM_PACKED ? (size + 1) / 2 : 0;
  for (u32 i = me; i < words; i += threads)
    table[i] = 0;
  __syncthreads ();

  const counters t = { table + (a.store == GPR_HISTOGRAM_WIDE ? (me & (a.copies - 1)) + a.copies : 0),
                       a.counts + first_bin, size, 4 * (u32) a.copies };
  const X *x = (const X *) a.x;
  const u32 head = head_of (x, a.n), vectors = (a.n - head) / V, ragged = a.n - vectors * V;
  const u32 all = workers * threads;
  const uint4 *from = (const uint4 *) (x + head);
  u32 hot = NONE, i = worker * threads + me;
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
          find_bins (c, y, past >> step & ((1u << GPR_HISTOGRAM_BATCH) - 1), k);
          histogram (a, t, k, &hot);
        }
    }

  /* The ends that are not aligned: fewer than 32 elements.  */
  if (worker == 0 && me < 32 && ragged > 0)
    {
      T y[1] = { as<T> (x[me < head ? me : me < ragged ? me + vectors * V : 0]) };
      u32 k[1];
      find_bins (c, y, (u32) (me >= ragged), k);
      histogram (a, t, k, &hot);
    }
  __syncthreads ();
  if (a.store != GPR_HISTOGRAM_GLOBAL)
    deliver (a, table, t.counts, size);
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
