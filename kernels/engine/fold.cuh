/* The two kernels of every fold: parts of the tree, and the tree over parts.
   kernels/tree.h says which element meets which; nothing here may change that.

   A block owns F::width lanes in registers and works on as many units (one
   part of one tile of one outer) at once as have that many lanes together.  */

#ifndef GPR_FOLD_CUH
#define GPR_FOLD_CUH

#include <limits.h>

#include "engine.h"

/* One load of V elements.  */
template <class X, int V> struct alignas (V * sizeof (X)) gpr_pack { X v[V]; };

/* The product of an element and its second factor, for the folds that take products.  */
static __device__ __forceinline__ f64 gpr_times (f64 x, f64 y) { return gpr_times_f64 (x, y); }
static __device__ __forceinline__ f32 gpr_times (f32 x, f32 y) { return gpr_times_f32 (x, y); }
static __device__ __forceinline__ c128 gpr_times (c128 x, c128 y) { return gpr_times_c128 (x, y); }
static __device__ __forceinline__ c64 gpr_times (c64 x, c64 y) { return gpr_times_c64 (x, y); }

template <class X, int V, bool PRODUCTS>
static __device__ __forceinline__ gpr_pack<X, V> gpr_take (const X *x, int64_t second)
{
  typedef gpr_pack<X, V> pack;
  pack v = *(const pack *) x;
  if constexpr (PRODUCTS)
    {
      pack w = *(const pack *) ((const char *) x + second);
#pragma unroll
      for (int e = 0; e < V; e++)
        v.v[e] = gpr_times (v.v[e], w.v[e]);
    }
  return v;
}

struct gpr_unit { int64_t outer, part, tile; };   /* part and tile within the box */

/* i / d for i below 2^52, by_d being 1 / d: a 64-bit division is a long routine.  */
static __device__ __forceinline__ int64_t gpr_quotient (int64_t i, int64_t d, double by_d)
{
  int64_t q = (int64_t) ((double) i * by_d), left = i - q * d;
  return q + (left >= d) - (left < 0);
}

static __device__ __forceinline__ gpr_unit gpr_unit_at (const gpr_fold_args &a, int64_t i)
{
  gpr_unit u;
  int64_t slab = gpr_quotient (i, a.tiles, a.by_tiles);
  u.tile = i - slab * a.tiles;
  u.outer = gpr_quotient (slab, a.parts, a.by_parts);
  u.part = slab - u.outer * a.parts;
  return u;
}

template <class F>
static __device__ __forceinline__ int gpr_store (const gpr_fold_out &out, int64_t i, const typename F::A &acc)
{
  typename F::Y y;
  int64_t k = 0;
  int suspect = F::finish (acc, out.divisor, &y, &k);
  ((typename F::Y *) out.value)[i] = y;
  if (F::indexed && out.index)
    out.index[i] = k;
  return suspect;
}

/* The accumulator of column c of unit i is complete.  */
template <class F>
static __device__ __forceinline__ int
gpr_emit (const gpr_fold_args &a, int64_t i, int c, const typename F::A &acc)
{
  gpr_unit u = gpr_unit_at (a, i);
  int64_t column = u.tile * a.columns + c, out = u.outer * a.out_columns + column;
  if (column >= a.out_columns)
    return 0;
  if (a.all_parts == 1)
    return gpr_store<F> (a.out, out, acc);
  ((typename F::A *) a.partials)[out * a.all_parts + a.first_part + u.part] = acc;
  return 0;
}

template <class F>
static __device__ __forceinline__ void gpr_merge_at (typename F::A *a, int distance)
{
  typename F::A t = a[0];
  F::merge (&t, a[distance]);
  a[0] = t;
}

/* V neighbouring lanes are one thread's; it has G such groups.  */
template <class F, int V, bool PRODUCTS>
static __device__ __forceinline__ int gpr_fold_units (const gpr_fold_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int G = F::width / GPR_FOLD_THREADS / V;
  constexpr int bytes = G * V * (int) sizeof (X);
  constexpr int most = V == F::vector ? 8 : 4;
  constexpr int S = F::heavy || bytes >= 128 ? 1 : 128 / bytes < most ? 128 / bytes : most;   /* steps in flight */

  const int unit_lanes = a.lanes * a.columns;
  const int lane_rows = F::ordered ? a.rows >> a.lanes_log2 : 1;   /* from a lane's first row to the next lane's */
  const int step_rows = F::ordered ? 1 : a.lanes;
  const int64_t step = step_rows * a.row_stride;
  int suspect = 0;

  int unit[G], q[G][V], c[G];
#pragma unroll
  for (int g = 0; g < G; g++)
    {
      int f = (g * GPR_FOLD_THREADS + (int) threadIdx.x) * V;
      unit[g] = f / unit_lanes;
      int j = f - unit[g] * unit_lanes, at = j / a.columns;
      c[g] = j - at * a.columns;
      j = c[g];
#pragma unroll
      for (int e = 0; e < V; e++)
        {
          q[g][e] = at;
          if (++j == a.columns)
            {
              j = 0;
              at++;
            }
        }
    }

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * a.batch; first < a.units; first += (int64_t) gridDim.x * a.batch)
    {
      A acc[G][V];
      const X *x[G];
      int64_t row[G];                   /* first of the part */
      int rows[G], full[G];             /* rows of the part, steps of all V lanes */
      int longest = 0, shortest = INT_MAX;

#pragma unroll
      for (int g = 0; g < G; g++)
        {
#pragma unroll
          for (int e = 0; e < V; e++)
            acc[g][e] = F::init ();
          x[g] = (const X *) a.x;
          row[g] = rows[g] = full[g] = 0;
          if (unit[g] < a.batch && first + unit[g] < a.units)
            {
              gpr_unit u = gpr_unit_at (a, first + unit[g]);
              row[g] = (a.first_part + u.part) * a.rows;
              if ((a.first_tile + u.tile) * a.columns + c[g] < a.l)
                rows[g] = a.n - row[g] < a.rows ? (int) (a.n - row[g]) : a.rows;
              x[g] += u.outer * a.outer_stride + u.tile * a.columns + c[g]
                      + (u.part * a.rows + (int64_t) q[g][0] * lane_rows) * a.row_stride;
              int left = rows[g] - q[g][V-1] * lane_rows;
              if (left > 0)
                full[g] = ! F::ordered ? (left + a.lanes - 1) >> a.lanes_log2 : left < lane_rows ? left : lane_rows;
            }
          longest = full[g] > longest ? full[g] : longest;
          shortest = full[g] < shortest ? full[g] : shortest;
        }

      int s = 0;
#pragma unroll 1
      for (; s + S <= shortest; s += S)
        {
          gpr_pack<X, V> v[S][G];
#pragma unroll
          for (int i = 0; i < S; i++)
#pragma unroll
            for (int g = 0; g < G; g++)
              v[i][g] = gpr_take<X, V, PRODUCTS> (x[g] + (s + i) * step, a.second);
#pragma unroll
          for (int i = 0; i < S; i++)
#pragma unroll
            for (int g = 0; g < G; g++)
#pragma unroll
              for (int e = 0; e < V; e++)
                F::step (&acc[g][e], v[i][g].v[e],
                         F::indexed ? row[g] + q[g][e] * lane_rows + (s + i) * step_rows : 0);
        }
#pragma unroll 1
      for (; s < longest; s++)
        {
          gpr_pack<X, V> v[G];
#pragma unroll
          for (int g = 0; g < G; g++)
            if (s < full[g])
              v[g] = gpr_take<X, V, PRODUCTS> (x[g] + s * step, a.second);
#pragma unroll
          for (int g = 0; g < G; g++)
            if (s < full[g])
#pragma unroll
              for (int e = 0; e < V; e++)
                F::step (&acc[g][e], v[g].v[e], F::indexed ? row[g] + q[g][e] * lane_rows + s * step_rows : 0);
        }
      /* The last rows reach only some of a group's lanes.  */
#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V - 1; e++)
          {
            int r = q[g][e] + full[g] * a.lanes;
            if (r < rows[g])
              F::step (&acc[g][e], gpr_take<X, 1, PRODUCTS> (x[g] + full[g] * step + e, a.second).v[0], F::indexed ? row[g] + r : 0);
          }

#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V; e++)
          shared[(g * GPR_FOLD_THREADS + threadIdx.x) * V + e] = acc[g][e];
      __syncthreads ();
#pragma unroll 1
      for (int h = 1; h < a.lanes; h *= 2)
        {
          /* Halving: q takes q + pairs.  Doubling, for ordered folds: 2h*q takes 2h*q + h.  */
          int pairs = F::ordered ? a.lanes / (2 * h) : a.lanes >> __ffs (h);
          int width = pairs * a.columns;
#pragma unroll 1
          for (int f = threadIdx.x; f < a.batch * width; f += GPR_FOLD_THREADS)
            {
              int i = f / width, j = f - i * width;
              if (F::ordered)
                {
                  int k = j / a.columns;
                  j += k * (2 * h - 1) * a.columns;
                }
              gpr_merge_at<F> (shared + i * unit_lanes + j, F::ordered ? h * a.columns : width);
            }
          __syncthreads ();
        }
#pragma unroll 1
      for (int f = threadIdx.x; f < a.batch * a.columns; f += GPR_FOLD_THREADS)
        {
          int i = f / a.columns, j = f - i * a.columns;
          if (first + i < a.units)
            suspect |= gpr_emit<F> (a, first + i, j, shared[i * unit_lanes + j]);
        }
      __syncthreads ();
    }
  return suspect;
}

static __device__ __forceinline__ void gpr_report (const gpr_fold_out &out, int suspect)
{
  if (__syncthreads_or (suspect) && threadIdx.x == 0)
    *out.suspect = 1;
}

/* Four blocks on a multiprocessor keep the memory busy; wide accumulators need
   their registers more.  */
template <class F, bool PRODUCTS>
__global__ void __launch_bounds__ (GPR_FOLD_THREADS, sizeof (typename F::A) <= 16 ? 4 : 2) fold_parts_k (const gpr_fold_args a)
{
  __shared__ __align__ (16) unsigned char raw[F::width * sizeof (typename F::A)];
  typename F::A *shared = (typename F::A *) raw;
  int suspect;
  if (F::vector > 1 && a.vector)
    suspect = gpr_fold_units<F, F::vector, PRODUCTS> (a, shared);
  else
    suspect = gpr_fold_units<F, 1, PRODUCTS> (a, shared);
  gpr_report (a.out, suspect);
}

/* Neighbours merge; an odd last one passes on.  A thread takes four parts; a
   block at most 1,024, then the next 1,024.  */
template <class F>
__global__ void __launch_bounds__ (GPR_FOLD_THREADS) fold_finish_k (const gpr_finish_args a)
{
  typedef typename F::A A;
  constexpr int quads = GPR_FOLD_THREADS, rounds = GPR_MAX_PARTS / (4 * quads);
  __shared__ __align__ (16) unsigned char raw[(quads + rounds) * sizeof (A)];
  A *tree = (A *) raw, *round = tree + quads;
  const int lane = threadIdx.x & (a.threads - 1), outputs = quads / a.threads;
  int suspect = 0;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * outputs; first < a.outputs; first += (int64_t) gridDim.x * outputs)
    {
      const int64_t out = first + threadIdx.x / a.threads;
      const A *from = (const A *) a.partials + out * a.parts;
      A v = F::init ();
      int done = 0;
#pragma unroll 1
      for (int base = 0; base < a.parts; base += 4 * a.threads, done++)
        {
          const int left = out < a.outputs ? (int) a.parts - base - 4 * lane : 0;
          if (left > 0)
            {
              const A *p = from + base + 4 * lane;
              v = p[0];
              if (left > 1)
                F::merge (&v, p[1]);
              if (left > 2)
                {
                  A w = p[2];
                  if (left > 3)
                    F::merge (&w, p[3]);
                  F::merge (&v, w);
                }
            }
          tree[threadIdx.x] = v;
          __syncthreads ();
#pragma unroll 1
          for (int h = 1; h < a.threads; h *= 2)
            {
              if (! (lane & (2 * h - 1)) && left > 4 * h)
                {
                  F::merge (&v, tree[threadIdx.x + h]);
                  tree[threadIdx.x] = v;
                }
              __syncthreads ();
            }
          if (threadIdx.x == 0)
            round[done] = v;
        }
      if (lane == 0 && out < a.outputs)
        {
          if (done > 1)         /* then thread 0 alone is here */
            {
#pragma unroll 1
              for (int h = 1; h < done; h *= 2)
#pragma unroll 1
                for (int i = 0; i + h < done; i += 2 * h)
                  gpr_merge_at<F> (round + i, h);
              v = round[0];
            }
          suspect |= gpr_store<F> (a.out, out, v);
        }
    }
  gpr_report (a.out, suspect);
}

/* Where a fold takes products of its own elements.  */
template <class F, bool THERE> struct gpr_products_kernel { static const void *get () { return 0; } };
template <class F> struct gpr_products_kernel<F, true> { static const void *get () { return (const void *) fold_parts_k<F, true>; } };
template <class X, class A> struct gpr_same { static constexpr bool yes = false; };
template <class X> struct gpr_same<X, X> { static constexpr bool yes = true; };

#define GPR_ENGINE_FOLD(id, FAMILY, XT, AT, YT) \
  struct fold_##id \
  { \
    typedef id##_x X; \
    typedef id##_a A; \
    typedef id##_y Y; \
    static constexpr int traits = GPR_TRAITS_##FAMILY; \
    static constexpr bool indexed = id##_indexed, ordered = traits & GPR_ORDERED, heavy = traits & GPR_HEAVY; \
    static constexpr bool products = traits & GPR_PRODUCTS && gpr_same<X, A>::yes; \
    static constexpr int width = sizeof (A) <= 8 ? 1024 : sizeof (A) <= 16 ? 512 : 256; \
    static constexpr int lanes = width / GPR_FOLD_THREADS, fit = 16 / sizeof (X); \
    static constexpr int vector = heavy ? 1 : lanes < fit ? lanes : fit; \
    static __device__ __forceinline__ A init () { return id##_init (); } \
    static __device__ __forceinline__ void step (A *a, X x, i64 i) { id##_step (a, x, i); } \
    static __device__ __forceinline__ void merge (A *a, A b) { id##_merge (a, b); } \
    static __device__ __forceinline__ int finish (A a, f64 d, Y *y, i64 *k) { return id##_finish (a, d, y, k); } \
  };

#define GPR_ENGINE_CASE(id, FAMILY, XT, AT, YT) \
    case GPR_FOLD_##id: \
      { \
        static const gpr_fold_kernel k = \
          { (const void *) fold_parts_k<fold_##id, false>, (const void *) fold_finish_k<fold_##id>, \
            gpr_products_kernel<fold_##id, fold_##id::products>::get (), \
            fold_##id::width, fold_##id::vector, \
            sizeof (fold_##id::X), sizeof (fold_##id::A), sizeof (fold_##id::Y) }; \
        return &k; \
      }

/* Everything of one group: its folds and gpr_engine_NAME.  */
#define GPR_ENGINE_GROUP(name, GROUP) \
  GROUP (GPR_DEFINE_FOLD) \
  GROUP (GPR_ENGINE_FOLD) \
  extern "C" const gpr_fold_kernel *gpr_engine_##name (enum gpr_fold fold) \
  { \
    switch ((int) fold) \
      { \
      GROUP (GPR_ENGINE_CASE) \
      default: return 0; \
      } \
  }

#endif
