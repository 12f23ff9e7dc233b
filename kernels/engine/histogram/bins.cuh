/* Which bin an element is in: what ../histogram.h, which comes before, says of cuts, in the type compared in.  */

#ifndef GPR_ENGINE_HISTOGRAM_BINS_CUH
#define GPR_ENGINE_HISTOGRAM_BINS_CUH

enum : u32 { NONE = 0xFFFFFFFF, EVERY_LANE = 0xFFFFFFFF };

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

/* Those of k, found by `find', that are none: from -1, which is NONE, to the last bin where there is one group; NONE for those whose bit
   is set in past.  */
template <class T, int N>
static __device__ __forceinline__ void check_bins (const cells<T> &c, gpr_find find, const T (&x)[N], u32 past, u32 (&k)[N])
{
  const bool real = (T) 0.5 != 0;
  if (! real || find != GPR_FIND_SPACED)
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

/* Integers are compared as such where the rule is "even" only.  */
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
  check_bins (c, c.find, x, past, k);
}

#endif
