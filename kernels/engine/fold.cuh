/* The kernel that every fold has: parts of the tree with any number of lanes, and the
   tree over parts.  fold_dense.cuh has the kernel for the shapes that fit threads
   exactly, fold_group.cuh the tables.  kernels/tree.h says which element meets which;
   nothing here may change that.  */

#ifndef GPR_FOLD_CUH
#define GPR_FOLD_CUH

#include <limits.h>

#include "engine.h"

/* One load of V elements.  */
template <class X, int V> struct alignas (V * sizeof (X)) gpr_pack { X v[V]; };

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

/* The product of an element and its second factor, for the folds that take products.
   Which NaN it is does not matter: what is not finite is settled from the products.  */
static __device__ __forceinline__ f64 gpr_times (f64 x, f64 y) { return x * y; }
static __device__ __forceinline__ f32 gpr_times (f32 x, f32 y) { return x * y; }
static __device__ __forceinline__ c128 gpr_times (c128 x, c128 y) { return gpr_inner_c128 (x, y); }
static __device__ __forceinline__ c64 gpr_times (c64 x, c64 y) { return gpr_inner_c64 (x, y); }

/* Elements, or products of two, as they are loaded: multiplied when they are used, not
   where that would wait for them.  */
template <class X, int V, bool PRODUCTS> struct gpr_terms
{
  gpr_pack<X, V> x;
  __device__ __forceinline__ X at (int e) const { return x.v[e]; }
};
template <class X, int V> struct gpr_terms<X, V, true>
{
  gpr_pack<X, V> x, y;
  __device__ __forceinline__ X at (int e) const { return gpr_times (x.v[e], y.v[e]); }
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

static __device__ __forceinline__ gpr_unit gpr_unit_at (const gpr_fold_args &a, int64_t i)
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
static __device__ __forceinline__ void gpr_post (const gpr_fold_out &out, int word, unsigned bits)
{
  ((volatile unsigned long long *) out.letter)[word] = (unsigned long long) out.call << 32 | bits;
}

template <class F>
static __device__ __forceinline__ int gpr_store (const gpr_fold_out &out, int64_t i, const typename F::A &acc)
{
  typedef typename F::Y Y;
  Y y;
  int64_t k = 0;
  int suspect = F::finish (acc, out.divisor, &y, &k);
  if (out.letter)
    {
      constexpr int words = (sizeof (Y) + 3) / 4;
      unsigned w[words] = { 0 };
      memcpy (w, &y, sizeof y);
#pragma unroll
      for (int j = 0; j < words; j++)
        gpr_post (out, GPR_LETTER_HEAD + j, w[j]);
      gpr_post (out, 0, suspect);
      gpr_post (out, 1, (unsigned) k);
      gpr_post (out, 2, (unsigned) (k >> 32));
      return 0;
    }
  ((Y *) out.value)[i] = y;
  if (F::indexed && out.index)
    out.index[i] = k;
  return suspect;
}

/* The accumulator of a column (of the box) of a part of an outer is complete.  */
template <class F>
static __device__ __forceinline__ int
gpr_emit (const gpr_fold_args &a, int64_t outer, int64_t part, int64_t column, const typename F::A &acc)
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

/* A block owns F::width lanes in registers and works on as many units at once as have
   that many lanes together.  V neighbouring lanes are one thread's; it has G such
   groups.  */
template <class F, int V, bool PRODUCTS>
static __device__ __forceinline__ int gpr_lanes (const gpr_fold_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int G = F::width / GPR_FOLD_THREADS / V;
  constexpr int bytes = G * V * (int) sizeof (X);
  constexpr int most = V == F::vector ? 8 : 4;
  constexpr int S = F::heavy || sizeof (A) > 32 || bytes >= 128 ? 1 : 128 / bytes < most ? 128 / bytes : most;   /* steps in flight */

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
          gpr_terms<X, V, PRODUCTS> v[S][G];
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
                F::step (&acc[g][e], v[i][g].at (e),
                         F::indexed ? row[g] + q[g][e] * lane_rows + (s + i) * step_rows : 0);
        }
#pragma unroll 1
      for (; s < longest; s++)
        {
          gpr_terms<X, V, PRODUCTS> v[G];
#pragma unroll
          for (int g = 0; g < G; g++)
            if (s < full[g])
              v[g] = gpr_take<X, V, PRODUCTS> (x[g] + s * step, a.second);
#pragma unroll
          for (int g = 0; g < G; g++)
            if (s < full[g])
#pragma unroll
              for (int e = 0; e < V; e++)
                F::step (&acc[g][e], v[g].at (e), F::indexed ? row[g] + q[g][e] * lane_rows + s * step_rows : 0);
        }
      /* The last rows reach only some of a group's lanes.  */
#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V - 1; e++)
          {
            int r = q[g][e] + full[g] * a.lanes;
            if (r < rows[g])
              F::step (&acc[g][e], gpr_take<X, 1, PRODUCTS> (x[g] + full[g] * step + e, a.second).at (0), F::indexed ? row[g] + r : 0);
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
            {
              gpr_unit u = gpr_unit_at (a, first + i);
              suspect |= gpr_emit<F> (a, u.outer, u.part, u.tile * a.columns + j, shared[i * unit_lanes + j]);
            }
        }
      __syncthreads ();
    }
  return suspect;
}

static __device__ __forceinline__ void gpr_report (const gpr_fold_out &out, int suspect)
{
  if (__syncthreads_or (suspect) && threadIdx.x == 0)
    *(volatile int *) out.suspect = 1;
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
static __device__ __forceinline__ typename F::A gpr_merge_parts (const gpr_fold_args &a, int64_t outer, int64_t column, int width, typename F::A *tree)
{
  typedef typename F::A A;
  const int c = threadIdx.x & (width - 1), j = threadIdx.x / width, runs = GPR_FOLD_THREADS / width;
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
static __device__ __forceinline__ int gpr_store_parts (const gpr_fold_args &a, int64_t outer, int64_t column, int width, typename F::A *tree)
{
  const typename F::A v = gpr_merge_parts<F> (a, outer, column, width, tree);
  const int64_t c = column + threadIdx.x;
  return (int) threadIdx.x < width && c < a.out_columns ? gpr_store<F> (a.out, outer * a.out_stride + c, v) : 0;
}

/* a.group columns at a time.  */
template <class F>
static __device__ __forceinline__ int gpr_parts (const gpr_fold_args &a, typename F::A *tree)
{
  const int64_t across = (a.out_columns + a.group - 1) / a.group;
  int suspect = 0;
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < across * a.outers; i += gridDim.x)
    {
      const int64_t outer = i / across;
      suspect |= gpr_store_parts<F> (a, outer, (i - outer * across) * a.group, a.group, tree);
      __syncthreads ();
    }
  return suspect;
}

/* So many units of a group are done, their results written by the first writers of the
   threads.  True, in every thread, where they were the last.  */
static __device__ __forceinline__ bool gpr_arrive (const gpr_fold_args &a, int64_t group, int units, int writers)
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
static __device__ __forceinline__ int gpr_merge_tile (const gpr_fold_args &a, int64_t outer, int64_t tile, typename F::A *tree)
{
  const int64_t first = tile * a.columns, end = min ((long long) (first + a.columns), (long long) a.out_columns);
  int suspect = 0, width = 1;
  while (width < end - first && width < GPR_FOLD_THREADS)
    width *= 2;
#pragma unroll 1
  for (int64_t c = first; c < end; c += width)
    {
      suspect |= gpr_store_parts<F> (a, outer, c, width, tree);
      __syncthreads ();
    }
  return suspect;
}

/* Four blocks on a multiprocessor keep the memory busy; wide accumulators need
   their registers more.  */
#define GPR_FOLD_BOUNDS(F) __launch_bounds__ (GPR_FOLD_THREADS, sizeof (typename F::A) <= 16 ? 4 : 2)

template <class F, bool PRODUCTS>
__global__ void GPR_FOLD_BOUNDS (F) fold_lanes_k (const gpr_fold_args a)
{
  __shared__ __align__ (16) unsigned char raw[F::width * sizeof (typename F::A)];
  typename F::A *shared = (typename F::A *) raw;
  int suspect;
  if (a.walk == GPR_WALK_PARTS)
    suspect = gpr_parts<F> (a, shared);
  else if (F::vector > 1 && a.vector)
    suspect = gpr_lanes<F, F::vector, PRODUCTS> (a, shared);
  else
    suspect = gpr_lanes<F, 1, PRODUCTS> (a, shared);
  gpr_report (a.out, suspect);
}

#endif
