/* Long columns of few numbers: every number between two bounds has a bin.  */

#ifndef GPR_MODE_COUNT_CUH
#define GPR_MODE_COUNT_CUH

/* ---- numbers and their bins -------------------------------------------------------------- */

/* The elements of a type, as numbers of a gpr_mode_range: false where that is none, as of Inf and fractions.  */
template <class T> struct mode_numbers
{
  typedef T K;
  static __device__ __forceinline__ bool number (const gpr_mode_args &a, T x, u64 *v)
  {
    *v = (T) (x ^ (T) a.x.flip);
    return true;
  }
  static __device__ __forceinline__ bool skipped (T) { return false; }
  /* bins: none.  */
  static __device__ __forceinline__ u32 bin (const gpr_mode_args &a, T x)
  {
    const T d = (T) ((T) (x ^ (T) a.x.flip) - (T) a.base);
    return d < a.bins ? (u32) d : a.bins;
  }
  static __device__ __forceinline__ u64 key (const gpr_mode_args &a, u32 bin) { return a.base + bin; }  /* of any width */
};

template <class F, class U> struct mode_floats
{
  typedef U K;
  static __device__ __forceinline__ bool number (const gpr_mode_args &, F x, u64 *v)
  {
    const F most = sizeof (F) == 8 ? (F) ((u64) 1 << 51) : (F) (1 << 22);
    const i64 whole = x >= -most && x <= most ? (i64) x : 0;
    *v = (u64) whole + GPR_MODE_ZERO;
    return (F) whole == x;
  }
  static __device__ __forceinline__ bool skipped (F x) { return ! (x - x == 0); }
  static __device__ __forceinline__ u32 bin (const gpr_mode_args &a, F x)
  {
    const F low = (F) a.low, d = x - low;
    const u32 b = d >= 0 && d < (F) a.bins ? (u32) (int) d : a.bins;
    return low + (F) (int) b == x ? b : a.bins;
  }
  static __device__ __forceinline__ u64 key (const gpr_mode_args &a, u32 bin)
  {
    union { F f; U u; } v;
    v.f = (F) a.low + (F) (int) bin;
    return select_rank_key (a.x, v.u);
  }
};
template <> struct mode_numbers<f64> : mode_floats<f64, u64> {};
template <> struct mode_numbers<f32> : mode_floats<f32, u32> {};

/* One block looks at some elements, or all of few.  */
template <class T>
static __global__ void __launch_bounds__ (GPR_MODE_TABLE_THREADS) mode_look_k (const __grid_constant__ gpr_mode_args a)
{
  const int64_t count = a.x.inner * a.x.outers * a.x.length;
  const int samples = (int) (count < GPR_MODE_SAMPLE ? count : GPR_MODE_SAMPLE);
  const double apart = (double) count / samples;
  mode_run<u64> least = mode_none<u64> (), most = least;        /* of ~number */
  int odd = 0;
#pragma unroll 8
  for (int i = threadIdx.x; i < samples; i += blockDim.x)
    {
      /* hashed, so that no period of the elements misleads */
      const double share = (double) ((u32) i * 2654435761u >> 8) / (1 << 24);
      const int64_t at = (int64_t) ((i + share) * apart);
      const T x = ((const T *) a.columns)[at < count ? at : count - 1];
      u64 v;
      if (mode_numbers<T>::skipped (x))
        continue;
      if (! mode_numbers<T>::number (a, x, &v))
        odd = 1;
      least = mode_better (least, { 1, v });
      most = mode_better (most, { 1, ~v });
    }
  least = mode_of_block (least);
  most = mode_of_block (most);
  odd = __syncthreads_or (odd);
  if (threadIdx.x == 0)
    *a.range = { least.key, ~most.key, ! odd, least.count > 0 };
}

/* ---- reading and counting ------------------------------------------------------------------ */

template <class T> union mode_vector { uint4 v; T x[16 / sizeof (T)]; };

/* A column as vectors, and what is before and behind these.  */
template <class T> struct mode_column
{
  const T *x;
  int64_t head, vectors, rest;
  __device__ __forceinline__ mode_column (const T *column, int64_t n) : x (column)
  {
    const int64_t odd = (int64_t) ((16 - (uintptr_t) x % 16) % 16 / sizeof (T));
    head = odd < n ? odd : n;
    vectors = (n - head) / (int64_t) (16 / sizeof (T));
    rest = n - vectors * (int64_t) (16 / sizeof (T));
  }
  __device__ __forceinline__ T single (int64_t i) const { return x[i < head ? i : i + vectors * (int64_t) (16 / sizeof (T))]; }
  __device__ __forceinline__ mode_vector<T> vector (int64_t i) const
  {
    mode_vector<T> v;
    v.v = ((const uint4 *) (x + head))[i];
    return v;
  }
};

/* Piece of a column; each bin has copies, one for some of a warp's lanes, so that few numbers do not wait for each
   other.  */
template <class T>
static __global__ void __launch_bounds__ (GPR_MODE_COUNT_THREADS, GPR_MODE_COUNT_BLOCKS) mode_count_k (const __grid_constant__ gpr_mode_args a)
{
  GPR_SELECT_MEMORY (raw);
  u32 *counts = (u32 *) raw;
  const int64_t j = blockIdx.x / a.pieces, piece = blockIdx.x - j * a.pieces, step = a.pieces * blockDim.x;
  const mode_column<T> c ((const T *) a.columns + (a.from + j) * a.x.length, a.x.length);
  const u32 copies = a.copies, copy = threadIdx.x % copies;
  bool missed = false;
  auto count = [&] (T x)
    {
      const u32 bin = mode_numbers<T>::bin (a, x);
      if (bin < a.bins)
        atomicAdd (&counts[bin * copies + copy], 1u);
      else
        missed |= ! mode_numbers<T>::skipped (x);
    };

  for (u32 i = threadIdx.x; i < a.bins * copies; i += blockDim.x)
    counts[i] = 0;
  __syncthreads ();
  for (int64_t i = piece * blockDim.x + threadIdx.x; i < c.vectors; i += GPR_MODE_EACH * step)
    {
      mode_vector<T> v[GPR_MODE_EACH];
#pragma unroll
      for (int e = 0; e < GPR_MODE_EACH; e++)
        if (i + e * step < c.vectors)
          v[e] = c.vector (i + e * step);
#pragma unroll
      for (int e = 0; e < GPR_MODE_EACH; e++)
        if (i + e * step < c.vectors)
#pragma unroll
          for (int k = 0; k < (int) (16 / sizeof (T)); k++)
            count (v[e].x[k]);
    }
  if (piece == 0)
    for (int64_t i = threadIdx.x; i < c.rest; i += blockDim.x)
      count (c.single (i));
  if (missed)
    a.found[a.from + j].missed = 1;
  __syncthreads ();
  for (u32 bin = threadIdx.x; bin < a.bins; bin += blockDim.x)
    {
      u32 sum = 0;
      for (u32 i = 0; i < copies; i++)
        sum += counts[bin * copies + (i + bin) % copies];
      if (sum)
        atomicAdd (&a.counts[j * a.bins + bin], sum);
    }
}

/* ---- all numbers of 16 bits ---------------------------------------------------------------- */

/* Two counts a word, of the `window' numbers from base on.  The one that takes a count to its upper half brings this to
   global memory: until the next barrier there are too few others to fill the count.  */
struct mode_halves
{
  enum { AT_ONCE = 2 };         /* vectors of a thread between two barriers: 2^14 elements of a block, where 2^15 would do */
  u32 *words, *counts, base, window, flip;

  __device__ __forceinline__ void add (u32 x, u32 by) const
  {
    const u32 i = (x ^ flip) - base, shift = i % 2 * 16;
    if (i >= window)
      return;
    const u32 old = atomicAdd (&words[i / 2], by << shift) >> shift & 0xFFFF;
    if (old < 0x8000 && old + by >= 0x8000)
      {
        atomicAdd (&words[i / 2], 0u - (0x8000u << shift));
        atomicAdd (&counts[base + i], 0x8000u);
      }
  }
  __device__ __forceinline__ void add (const mode_vector<u16> &v) const
  {
    if (v.v.x == v.v.y && v.v.x == v.v.z && v.v.x == v.v.w && v.x[0] == v.x[1])
      add (v.x[0], 8);
    else
#pragma unroll
      for (int k = 0; k < 8; k++)
        add (v.x[k], 1);
  }
  /* Each thread's vectors, the next ones being on their way meanwhile.  */
  __device__ __forceinline__ void add (const mode_column<u16> &c, int64_t piece, int64_t pieces) const
  {
    const int64_t step = pieces * blockDim.x;
    mode_vector<u16> v[AT_ONCE], next[AT_ONCE];
    int64_t i = piece * blockDim.x + threadIdx.x;
    fetch (c, i, step, v);
    for (int64_t from = piece * blockDim.x; from < c.vectors; from += AT_ONCE * step, i += AT_ONCE * step)
      {
        fetch (c, i + AT_ONCE * step, step, next);
#pragma unroll
        for (int e = 0; e < AT_ONCE; e++)
          {
            if (i + e * step < c.vectors)
              add (v[e]);
            v[e] = next[e];
          }
        __syncthreads ();
      }
  }
  static __device__ __forceinline__ void fetch (const mode_column<u16> &c, int64_t i, int64_t step, mode_vector<u16> *v)
  {
#pragma unroll
    for (int e = 0; e < AT_ONCE; e++)
      if (i + e * step < c.vectors)
        v[e] = c.vector (i + e * step);
  }
};

static __global__ void __launch_bounds__ (GPR_MODE_HALVES_THREADS) mode_halves_k (const __grid_constant__ gpr_mode_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int64_t j = blockIdx.x / a.pieces, piece = blockIdx.x - j * a.pieces;
  const mode_column<u16> c ((const u16 *) a.columns + (a.from + j) * a.x.length, a.x.length);
  const mode_halves halves = { (u32 *) raw, a.counts + j * a.bins, (u32) a.base, a.window, (u32) a.x.flip };

  for (u32 i = threadIdx.x; i < a.window / 2; i += blockDim.x)
    halves.words[i] = 0;
  __syncthreads ();
  halves.add (c, piece, a.pieces);
  if (piece == 0)
    for (int64_t i = threadIdx.x; i < c.rest; i += blockDim.x)
      halves.add (c.single (i), 1);
  __syncthreads ();
  for (u32 i = threadIdx.x; i < a.window; i += blockDim.x)
    {
      const u32 sum = halves.words[i / 2] >> i % 2 * 16 & 0xFFFF;
      if (sum)
        atomicAdd (&halves.counts[a.base + i], sum);
    }
}

/* ---- what has been counted ------------------------------------------------------------------- */

/* A block a column.  A single element of a float may stand behind an infinite one: then all is to be sorted.  */
template <class T>
static __global__ void __launch_bounds__ (GPR_MODE_THREADS) mode_best_k (const __grid_constant__ gpr_mode_args a)
{
  const int64_t j = blockIdx.x;
  const u32 *counts = a.counts + j * a.bins;
  mode_run<u32> best = mode_none<u32> ();
  for (u32 bin = threadIdx.x; bin < a.bins; bin += blockDim.x)
    best = mode_better (best, { counts[bin], bin });
  best = mode_of_block (best);
  if (threadIdx.x != 0)
    return;
  gpr_mode_found *found = &a.found[a.from + j];
  if (found->missed || (select_floating (a.x) && best.count < 2))
    *a.failed = 1;
  found->key = mode_numbers<T>::key (a, best.key);
  found->count = best.count;
}

#endif
