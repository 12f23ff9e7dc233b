/* What the kernels of a reduction are made of: loads, units, results, the tree over parts, steps
   of a lane, merges of lanes.  fold_lanes.cuh and fold_dense.cuh have the kernels,
   fold_group.cuh the tables.  kernels/common/tree.h says which element meets which; nothing here
   may change that.  */

#ifndef GPR_REDUCE_CUH
#define GPR_REDUCE_CUH

#include <limits.h>

#include "engine.h"

/* One load of V elements.  Of elements of 1 and 2 bytes, words: the compiler would take them to
   pieces and put them together again.  */
template <class X, int V, bool WORDS = sizeof (X) <= 2 && V * sizeof (X) % 4 == 0> struct alignas (V * sizeof (X)) gpr_pack
{
  X v[V];
  __device__ __forceinline__ X at (int e) const { return v[e]; }
};
template <class X, int V> struct alignas (V * sizeof (X)) gpr_pack<X, V, true>
{
  static constexpr int IN_WORD = 4 / sizeof (X), BITS = 8 * sizeof (X);
  unsigned w[V / IN_WORD];
  __device__ __forceinline__ X at (int e) const { return (X) (w[e / IN_WORD] >> e % IN_WORD * BITS); }
};

/* Long merges are rare, and would take the registers of what is not: a call.  */
template <class F> static __device__ __noinline__ typename F::A gpr_merge_far (typename F::A a, typename F::A b)
{
  F::merge_here (&a, b);
  return a;
}
template <class F> static __device__ __forceinline__ void gpr_merge (typename F::A *a, typename F::A b)
{
  if constexpr (sizeof (typename F::A) > GPR_MERGE_CALL_BYTES)
    *a = gpr_merge_far<F> (*a, b);
  else
    F::merge_here (a, b);
}

/* The product of an element and its second factor, for the reductions that take products.
   Which NaN it is does not matter: what is not finite is fixed up from the products.  */
static __device__ __forceinline__ f64 gpr_times (f64 x, f64 y) { return x * y; }
static __device__ __forceinline__ f32 gpr_times (f32 x, f32 y) { return x * y; }
static __device__ __forceinline__ c128 gpr_times (c128 x, c128 y) { return gpr_inner_c128 (x, y); }
static __device__ __forceinline__ c64 gpr_times (c64 x, c64 y) { return gpr_inner_c64 (x, y); }

/* Elements, or products of two, as they are loaded: multiplied when they are used, not
   where that would wait for them.  */
template <class X, int V, bool PRODUCTS> struct gpr_terms
{
  gpr_pack<X, V> x;
  __device__ __forceinline__ X at (int e) const { return x.at (e); }
};
template <class X, int V> struct gpr_terms<X, V, true>
{
  gpr_pack<X, V> x, y;
  __device__ __forceinline__ X at (int e) const { return gpr_times (x.at (e), y.at (e)); }
};
template <class X, int V, bool PRODUCTS>
static __device__ __forceinline__ gpr_terms<X, V, PRODUCTS> gpr_take (const X *x, int64_t second)
{
  typedef gpr_pack<X, V> pack;
  gpr_terms<X, V, PRODUCTS> t;
  t.x = *(const pack *) x;
  if constexpr (PRODUCTS)
    t.y = *(const pack *) ((const char *) x + second);
  return t;
}

struct gpr_unit { int64_t outer, part, tile; };   /* part and tile within the box */

/* i / d for i below 2^52, by_d being 1 / d: a 64-bit division is a long routine.  */
static __device__ __forceinline__ int64_t gpr_quotient (int64_t i, int64_t d, double by_d)
{
  int64_t q = (int64_t) ((double) i * by_d), left = i - q * d;
  return q + (left >= d) - (left < 0);
}

static __device__ __forceinline__ gpr_unit gpr_unit_at (const gpr_reduce_args &a, int64_t i)
{
  gpr_unit u;
  if (a.tiles == 1 && (a.parts == 1 || a.outers == 1))
    {
      u.tile = 0;
      u.outer = a.parts == 1 ? i : 0;
      u.part = a.parts == 1 ? 0 : i;
      return u;
    }
  int64_t slab = gpr_quotient (i, a.tiles, a.by_tiles);
  u.tile = i - slab * a.tiles;
  u.outer = gpr_quotient (slab, a.parts, a.by_parts);
  u.part = slab - u.outer * a.parts;
  return u;
}

/* A result on its way to a host that waits for it: 4 bytes and the number of the call
   in one word, which arrives whole, so that no fence is needed.  */
static __device__ __forceinline__ void gpr_post (const gpr_reduce_out &out, int word, unsigned bits)
{
  ((volatile unsigned long long *) out.mailbox)[word] = (unsigned long long) out.call << 32 | bits;
}

template <class F>
static __device__ __forceinline__ int gpr_store (const gpr_reduce_out &out, int64_t i, const typename F::A &acc)
{
  typedef typename F::Y Y;
  Y y;
  int64_t k = 0;
  int needs_fixup = F::finish (acc, out.divisor, &y, &k);
  if (out.mailbox)
    {
      constexpr int words = (sizeof (Y) + 3) / 4;
      unsigned w[words] = { 0 };
      memcpy (w, &y, sizeof y);
#pragma unroll
      for (int j = 0; j < words; j++)
        gpr_post (out, GPR_MAILBOX_HEAD + j, w[j]);
      gpr_post (out, 0, needs_fixup);
      gpr_post (out, 1, (unsigned) k);
      gpr_post (out, 2, (unsigned) (k >> 32));
      return 0;
    }
  ((Y *) out.value)[i] = y;
  if (F::indexed && out.index)
    out.index[i] = k;
  return needs_fixup;
}

/* The accumulator of a column (of the box) of a part of an outer is complete.  */
template <class F>
static __device__ __forceinline__ int
gpr_emit (const gpr_reduce_args &a, int64_t outer, int64_t part, int64_t column, const typename F::A &acc)
{
  if (column >= a.out_columns)
    return 0;
  if (a.all_parts == 1)
    return gpr_store<F> (a.out, outer * a.out_stride + column, acc);
  ((typename F::A *) a.partials)[(outer * a.all_parts + a.first_part + part) * a.out_stride + column] = acc;
  return 0;
}

template <class F>
static __device__ __forceinline__ void gpr_merge_at (typename F::A *a, int distance)
{
  typename F::A t = a[0];
  F::merge (&t, a[distance]);
  a[0] = t;
}

static __device__ __forceinline__ void gpr_report (const gpr_reduce_out &out, int needs_fixup)
{
  if (__syncthreads_or (needs_fixup) && threadIdx.x == 0)
    *(volatile int *) out.needs_fixup = 1;
}

/* ---- the tree over parts ------------------------------------------------------ */

/* Neighbours merge, an odd last one passes on: count parts, stride apart, four at once.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_merge_run (const typename F::A *p, int64_t stride, int count)
{
  typedef typename F::A A;
  A v, stack[13];               /* of trees of 4, 8, 16 … parts, GPR_MAX_PARTS at most */
  int quads = 0;
#pragma unroll 1
  for (int left = count; left > 0; left -= 4, p += 4 * stride, quads++)
    {
      if (sizeof (A) <= GPR_MERGE_CALL_BYTES && left >= 4)      /* read at once */
        {
          A w[4];
#pragma unroll
          for (int i = 0; i < 4; i++)
            w[i] = p[i * stride];
          F::merge (&w[0], w[1]);
          F::merge (&w[2], w[3]);
          F::merge (&w[0], w[2]);
          v = w[0];
        }
      else
        {
          v = p[0];
          if (left > 1)
            F::merge (&v, p[stride]);
          if (left > 2)
            {
              A w = p[2 * stride];
              if (left > 3)
                F::merge (&w, p[3 * stride]);
              F::merge (&v, w);
            }
        }
      int level = 0;
#pragma unroll 1
      for (; quads >> level & 1; level++)
        {
          A t = stack[level];
          F::merge (&t, v);
          v = t;
        }
      stack[level] = v;
    }
  int level = __ffs (quads) - 1;
  v = stack[level];
#pragma unroll 1
  for (level++; quads >> level; level++)
    if (quads >> level & 1)
      {
        A t = stack[level];
        F::merge (&t, v);
        v = t;
      }
  return v;
}

/* From the thread distance above in the warp.  */
template <class A>
static __device__ __forceinline__ A gpr_from_above (const A &a, int distance)
{
  A b;
  if constexpr (sizeof (A) % 4 == 0)
    {
      union { A a; unsigned w[sizeof (A) / 4]; } from, to;
      from.a = a;
#pragma unroll
      for (int i = 0; i < (int) (sizeof (A) / 4); i++)
        to.w[i] = __shfl_down_sync (0xffffffffu, from.w[i], distance);
      b = to.a;
    }
  else
    b = (A) __shfl_down_sync (0xffffffffu, (int) a, distance);
  return b;
}

/* A block merges the parts of width columns (a power of two; those at or after
   a.out_columns are not there) of an outer, from column on; the first width threads have
   them.  tree: an accumulator a thread, in shared memory.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_merge_parts (const gpr_reduce_args &a, int64_t outer, int64_t column, int width, typename F::A *tree)
{
  typedef typename F::A A;
  const int c = threadIdx.x & (width - 1), j = threadIdx.x / width, runs = GPR_REDUCE_THREADS / width;
  int run = 4;
  while (run * runs < a.all_parts)
    run *= 2;
  const int parts = (int) a.all_parts, count = min (run, parts - j * run);
  const bool here = column + c < a.out_columns && count > 0;
  A v = F::init ();
  if (here)
    v = gpr_merge_run<F> ((const A *) a.partials + (outer * parts + (int64_t) j * run) * a.out_stride + column + c, a.out_stride, count);
  int h = 1;
#pragma unroll 1
  for (; h * width < 32 && (int64_t) h * run < parts; h *= 2)
    {
      A t = gpr_from_above (v, h * width);
      if (here && ! (j & (2 * h - 1)) && (j + h) * run < parts)
        F::merge (&v, t);
    }
#pragma unroll 1
  for (; h < runs && (int64_t) h * run < parts; h *= 2)
    {
      __syncthreads ();
      if (here)
        tree[threadIdx.x] = v;
      __syncthreads ();
      if (here && ! (j & (2 * h - 1)) && (j + h) * run < parts)
        F::merge (&v, tree[threadIdx.x + h * width]);
    }
  return v;
}
template <class F>
static __device__ __forceinline__ int gpr_store_parts (const gpr_reduce_args &a, int64_t outer, int64_t column, int width, typename F::A *tree)
{
  const typename F::A v = gpr_merge_parts<F> (a, outer, column, width, tree);
  const int64_t c = column + threadIdx.x;
  return (int) threadIdx.x < width && c < a.out_columns ? gpr_store<F> (a.out, outer * a.out_stride + c, v) : 0;
}

/* a.group columns at a time.  */
template <class F>
static __device__ __forceinline__ int gpr_parts (const gpr_reduce_args &a, typename F::A *tree)
{
  const int64_t across = (a.out_columns + a.group - 1) / a.group;
  int needs_fixup = 0;
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < across * a.outers; i += gridDim.x)
    {
      const int64_t outer = i / across;
      needs_fixup |= gpr_store_parts<F> (a, outer, (i - outer * across) * a.group, a.group, tree);
      __syncthreads ();
    }
  return needs_fixup;
}

/* So many units of a group are done, their results written by the first writers of the
   threads.  True, in every thread, where they were the last.  */
static __device__ __forceinline__ bool gpr_arrive (const gpr_reduce_args &a, int64_t group, int units, int writers)
{
  __shared__ bool last;
  if (gridDim.x == 1 && a.units == a.all_parts)         /* nobody else to wait for */
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
      last = atomicAdd (a.tickets + group, (unsigned) units) + units == (unsigned) a.all_parts;
      if (last)
        a.tickets[group] = 0;
    }
  __syncthreads ();
  if (last)
    __threadfence ();
  return last;
}

/* The block with the last ticket of a tile merges its columns' parts.  */
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

/* ---- several steps of one lane ----------------------------------------------------- */

/* Elements of rows at, at + distance, … in that order.  Where a run holds nothing
   special, the long steps have a short way to the same accumulator.  */
template <class F, int S>
static __device__ __forceinline__ void gpr_steps (typename F::A *a, const typename F::X *v, int64_t at, int distance)
{
#pragma unroll
  for (int k = 0; k < S; k++)
    F::step (a, v[k], F::indexed ? at + (int64_t) k * distance : 0);
}

template <class F, class A> struct gpr_run { static constexpr bool there = false; };
template <class F> struct gpr_run<F, moments>
{
  static constexpr bool there = true;
  template <int S> static __device__ __forceinline__ void go (moments *a, const typename F::X *v, int64_t at, int distance)
  {
    f64 x[S];
    bool nan = false;
#pragma unroll
    for (int k = 0; k < S; k++)
      {
        x[k] = v[k];
        nan |= x[k] != x[k];
      }
    if ((F::traits & GPR_OMITS_NAN) && nan)
      gpr_steps<F, S> (a, v, at, distance);
    else
      gpr_moments_run (a, x, S);
  }
};
template <class F> struct gpr_run<F, summary>
{
  static constexpr bool there = true;
  template <int S> static __device__ __forceinline__ void go (summary *a, const typename F::X *v, int64_t at, int distance)
  {
    f64 x[S];
#pragma unroll
    for (int k = 0; k < S; k++)
      x[k] = v[k];
    if (a->least_at == INT64_MAX || ! gpr_summary_run (a, x, S, at, distance))
      gpr_steps<F, S> (a, v, at, distance);
  }
};
template <class F> struct gpr_run<F, scaled_squares>
{
  static constexpr bool there = true;
  template <int S> static __device__ __forceinline__ void go (scaled_squares *a, const typename F::X *v, int64_t at, int distance)
  {
    if constexpr (sizeof (typename F::X) == 8)
      {
        bool plain = true;
#pragma unroll
        for (int k = 0; k < S; k++)
          plain &= fabs (v[k]) >= GPR_BLUE_SMALL && fabs (v[k]) <= GPR_BLUE_BIG;
        if (plain)
          {
            gpr_scaled_run (a, v, S);
            return;
          }
      }
    gpr_steps<F, S> (a, v, at, distance);
  }
};

/* The steps of a batch that are before left; get (k) is the element of step k.  */
template <class F, int S, class Get>
static __device__ __forceinline__ void gpr_batch (typename F::A *a, Get get, int64_t at, int distance, int left)
{
  typedef gpr_run<F, typename F::A> run;
  typename F::X v[S];
#pragma unroll
  for (int k = 0; k < S; k++)
    v[k] = get (k);
  if constexpr (run::there)
    if (left >= S)
      {
        run::template go<S> (a, v, at, distance);
        return;
      }
  if constexpr (sizeof (typename F::X) <= 2)    /* so many that instructions count */
    if (left >= S)
      {
        if constexpr (sizeof (typename F::A) == 8 && (F::traits & GPR_INTEGER_SUM) != 0)
          {
            int sum = 0;
#pragma unroll
            for (int k = 0; k < S; k++)
              sum += v[k];
            *a += sum;
          }
        else
          gpr_steps<F, S> (a, v, at, distance);
        return;
      }
#pragma unroll
  for (int k = 0; k < S; k++)
    if (k < left)
      F::step (a, v[k], F::indexed ? at + (int64_t) k * distance : 0);
}

/* ---- lanes merge ------------------------------------------------------------------ */

/* Lanes that lie V together and G * V in a thread, so many threads a unit, merge down to
   the columns: first what one thread holds, ...  */
template <class F, int V, int G>
static __device__ __forceinline__ void gpr_merge_own (typename F::A (*acc)[V], int threads, int columns)
{
  /* By recursion: the compiler unrolls such a loop only if it is short, and would keep acc in memory.  */
  constexpr int h = G / 2;
  if constexpr (h > 0)
    if (h * threads * V >= columns)
      {
#pragma unroll
        for (int g = 0; g < h; g++)
#pragma unroll
          for (int e = 0; e < V; e++)
            F::merge (&acc[g][e], acc[g + h][e]);
        gpr_merge_own<F, V, h> (acc, threads, columns);
      }
}

/* ... then what threads of one warp hold; the accumulators left are the first threads'.  */
template <class F, int V>
static __device__ __forceinline__ void gpr_merge_group (typename F::A *acc, int group, int columns)
{
#pragma unroll 1
  for (int d = group / 2; d > 0 && d * V >= columns; d /= 2)
#pragma unroll
    for (int e = 0; e < V; e++)
      F::merge (&acc[e], gpr_from_above (acc[e], d));
#pragma unroll
  for (int h = V / 2; h > 0; h /= 2)
    if (h >= columns)
#pragma unroll
      for (int e = 0; e < h; e++)
        F::merge (&acc[e], acc[e + h]);
}

/* ---- rows left over ------------------------------------------------------------------ */

/* Of the rows of a part all lanes take full steps, the first rest lanes (of all columns) one
   more, V lanes from f on as one: together, or lane e of them alone, of no whole pack.  */
template <int V> static __device__ __forceinline__ int gpr_steps_of (int full, int rest, int f) { return full + (f + V <= rest); }
template <int V> static __device__ __forceinline__ bool gpr_odd_lane (int rest, int f, int e) { return f + e < rest && f + V > rest; }

/* ---- rows ------------------------------------------------------------------------------ */

/* Contiguous rows of one part each, by some threads of a warp, a warp or two: so many that little but
   loads and steps may be left of a row, and of short ones two are on their way.  A thread has
   G * V of the LANES lanes; where those are many, rows are whole packs.  */
template <class F, bool PRODUCTS, int LANES, int V, int G>
static __device__ __forceinline__ int gpr_rows (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, group = LANES / (G * V), spread = group * V, bytes = G * V * (int) sizeof (X);
  /* Steps on their way, as many as 64 registers hold with the accumulators; a warp's or two's rows are long enough for one.  */
  constexpr int S = F::heavy || bytes > 32 ? 1 : PRODUCTS || (V > 1 && sizeof (X) == 8) || (bytes > 8 && G * V * sizeof (A) > 16) ? 2 : 4;
  constexpr int ROWS = G <= 2 ? F::rows_at_once : 1;
  constexpr int fit = GPR_ROWS_BYTES / (V * (int) sizeof (X) * (PRODUCTS ? 2 : 1)), H = fit < G ? fit : G;        /* packs at once */
  const int me = threadIdx.x & (group - 1), f0 = me * V;
  const int full = (int) ((unsigned) a.length / LANES), rest = (int) a.length & (LANES - 1);
  const int my_row = threadIdx.x / group, stride = gridDim.x * (T / group);
  int needs_fixup = 0, buffer = 0;

#pragma unroll 1
  for (int64_t first = blockIdx.x * (T / group); first < a.units; first += ROWS * stride)
    {
      const int64_t i = first + my_row;
      A acc[ROWS][G][V];
      const X *row[ROWS];               /* some row, where there is none */
#pragma unroll
      for (int o = 0; o < ROWS; o++)
        {
          row[o] = (const X *) a.x + (i + o * stride < a.units ? i + o * stride : 0) * a.outer_stride + f0;
#pragma unroll
          for (int g = 0; g < G; g++)
#pragma unroll
            for (int e = 0; e < V; e++)
              acc[o][g][e] = F::init ();
        }
      int s = 0;
      auto go = [&] (bool all) {        /* S steps, in which all lanes take part */
        auto steps = [&] (int g) { return all ? S : gpr_steps_of<V> (full, rest, g * spread + f0) - s; };
#pragma unroll
        for (int g0 = 0; g0 < G; g0 += H)
          {
            gpr_terms<X, V, PRODUCTS> v[ROWS][S][H];
#pragma unroll
            for (int o = 0; o < ROWS; o++)
#pragma unroll
              for (int k = 0; k < S; k++)
#pragma unroll
                for (int g = 0; g < H; g++)
                  if (k < steps (g0 + g))
                    v[o][k][g] = gpr_take<X, V, PRODUCTS> (row[o] + k * LANES + (g0 + g) * spread, a.second);
#pragma unroll
            for (int o = 0; o < ROWS; o++)
#pragma unroll
              for (int g = 0; g < H; g++)
#pragma unroll
                for (int e = 0; e < V; e++)
                  gpr_batch<F, S> (&acc[o][g0 + g][e], [&] (int k) { return v[o][k][g].at (e); }, (g0 + g) * spread + f0 + e + s * LANES,
                                   LANES, steps (g0 + g));
          }
#pragma unroll
        for (int o = 0; o < ROWS; o++)
          row[o] += S * LANES;
        s += S;
      };
#pragma unroll 1
      while (s + S <= full)
        go (true);
#pragma unroll 1
      while (s < full + (rest > 0))
        go (false);
      if (V > 1 && G <= 2 && rest % V != 0)     /* of no whole pack */
#pragma unroll
        for (int o = 0; o < ROWS; o++)
#pragma unroll
          for (int g = 0; g < G; g++)
#pragma unroll
            for (int e = 0; e < V; e++)
              if (gpr_odd_lane<V> (rest, g * spread + f0, e) && i + o * stride < a.units)
                F::step (&acc[o][g][e], gpr_take<X, 1, PRODUCTS> (row[o] + (full - s) * LANES + g * spread + e, a.second).at (0),
                         g * spread + f0 + e + full * LANES);
#pragma unroll
      for (int o = 0; o < ROWS; o++)
        {
          gpr_merge_own<F, V, G> (acc[o], group, 1);
          if constexpr (G > 2)
            if (group == 64)            /* the second warp's to the first */
              {
                A *lanes = shared + (buffer ^= T * V);
#pragma unroll
                for (int e = 0; e < V; e++)
                  if (me >= 32)
                    lanes[threadIdx.x * V + e] = acc[o][0][e];
                __syncthreads ();
#pragma unroll
                for (int e = 0; e < V; e++)
                  if (me < 32)
                    F::merge (&acc[o][0][e], lanes[(threadIdx.x + 32) * V + e]);
              }
          gpr_merge_group<F, V> (acc[o][0], group < 32 ? group : 32, 1);
          if (me == 0 && i + o * stride < a.units)
            needs_fixup |= gpr_store<F> (a.out, i + o * stride, acc[o][0][0]);
        }
    }
  return needs_fixup;
}

#endif
