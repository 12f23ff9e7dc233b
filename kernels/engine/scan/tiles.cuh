/* A block takes a tile, which it reads and writes once.  */

#ifndef GPR_SCAN_TILES_CUH
#define GPR_SCAN_TILES_CUH

#if defined __CUDACC__
#include <cuda_pipeline.h>
#endif

#include "look_back.cuh"

/* Replaces n totals, a stride apart, by what is before each; returns all of them.  */
template <class F>
static __device__ __forceinline__ typename F::A scan_fold (typename F::A *at, int n, int stride)
{
  enum { BATCH = 5 };
  typename F::A all = *at;
  for (int from = 1; from < n; from += BATCH)
    {
      typename F::A own[BATCH];
#pragma unroll
      for (int j = 0; j < BATCH; j++)
        if (from + j < n)
          own[j] = at[(from + j) * stride];
#pragma unroll
      for (int j = 0; j < BATCH; j++)
        if (from + j < n)
          {
            at[(from + j) * stride] = all;
            all = F::plain (all, own[j]);
          }
    }
  return all;
}

/* The same of group g of outer k and column c, with what NaN asks for.  The segments' totals are in their last
   rows.  */
template <class F>
static __device__ __noinline__ typename F::A scan_fold_surely (scan_tile<F> &p, int k, int g, int c)
{
  const int first = g * GPR_SCAN_FOLD;
  typename F::A all;
  for (int s = first; s < first + GPR_SCAN_FOLD && s < p.segments; s++)
    {
      const int last = (s + 1) * F::STEPS < p.rows ? (s + 1) * F::STEPS - 1 : p.rows - 1, e = (k * p.rows + last) * p.columns + c;
      const typename F::A own = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, p.from + s * F::STEPS);
      p.totals[(k * p.segments + s) * p.columns + c] = all;
      if (s == first)
        all = own;
      else
        F::join (&all, own, p.keeps);
    }
  return all;
}

/* From the segments' totals to what goes before each segment in its tile.  By a warp.  */
template <class F>
static __device__ __forceinline__ void scan_tops (scan_tile<F> &p)
{
  const int columns = p.columns, groups = p.groups, segments = p.segments;

  for (int l = threadIdx.x; l < p.outers * groups * columns; l += 32)
    {
      const int c = l % columns, g = l / columns % groups, k = l / columns / groups, s = g * GPR_SCAN_FOLD;
      if (c >= p.valid)
        continue;
      typename F::A all = scan_fold<F> (p.totals + (k * segments + s) * columns + c,
                                        segments - s < GPR_SCAN_FOLD ? segments - s : (int) GPR_SCAN_FOLD, columns);
      if (scan_misses<F> (p.keeps, all))
        all = scan_fold_surely (p, k, g, c);
      p.of_groups[l] = all;
    }
  __syncwarp ();
  for (int l = threadIdx.x; l < p.outers * columns; l += 32)
    {
      const int c = l % columns, k = l / columns;
      if (c >= p.valid)
        continue;
      typename F::A *at = p.of_groups + k * groups * columns + c, all = scan_fold<F> (at, groups, columns);
      if (scan_misses<F> (p.keeps, all))
        for (int g = 0; g < groups; g++)
          {
            const typename F::A own = scan_fold_surely (p, k, g, c);
            at[g * columns] = all;
            if (g == 0)
              all = own;
            else
              F::join (&all, own, p.keeps);
          }
      p.own[c] = all;           /* of several outers, the last's: no other tile asks */
    }
}

#ifndef GPR_SCAN_IS_LATE        /* tests have tiles whose sum up to them nobody learns */
#define GPR_SCAN_IS_LATE(t) 0
#endif

/* What goes before the tile, and what others must know of it.  */
template <class F>
static __device__ __forceinline__ void scan_join (const gpr_scan_args &a, scan_tile<F> &p)
{
  typedef typename F::A A;
  enum { WORDS = (sizeof (A) + 3) / 4 };
  const int c = threadIdx.x;
  const i64 next = a.inner * WORDS;
  unsigned long long *states = a.states + (p.outer * a.tiles * a.inner + p.column) * WORDS;

  if (c < p.valid)
    scan_publish (states + p.t * next + c * WORDS, p.own[c], p.t ? GPR_SCAN_TOTAL : GPR_SCAN_UP_TO);
  if (p.t == 0)
    return;
  scan_look_back<F> (p, states, next);
  if (c == 0 && p.outers == 1)
    p.in_doubt = *(volatile int *) &a.doubt[p.outer] != 0;
  if (c < p.valid && p.t + 1 < a.tiles && ! GPR_SCAN_IS_LATE (p.t))
    {
      A all = p.before[c];
      F::join (&all, p.own[c], p.keeps);
      scan_publish (states + p.t * next + c * WORDS, all, GPR_SCAN_UP_TO);
    }
}

/* The elements of a tile whose columns lie apart or in several outers, from a thread's first to its next:
   row (of all outers) and column.  */
struct scan_cell
{
  int row, c, rows_on, columns_on, columns;
  __device__ __forceinline__ scan_cell (int columns_)
  {
    columns = columns_;
    row = threadIdx.x / columns;
    c = threadIdx.x - row * columns;
    rows_on = GPR_SCAN_THREADS / columns;
    columns_on = GPR_SCAN_THREADS - rows_on * columns;
  }
  __device__ __forceinline__ void next ()
  {
    row += rows_on;
    c += columns_on;
    if (c >= columns)
      {
        row++;
        c -= columns;
      }
  }
};

/* To shared memory, past the registers where the GPU can; scan_arrived waits for all.  */
template <class X>
static __device__ __forceinline__ void scan_fetch (X *to, const X *from)
{
#if __CUDA_ARCH__ >= 800
  if (sizeof (X) == 4 || sizeof (X) == 8 || sizeof (X) == 16)
    {
      __pipeline_memcpy_async (to, from, sizeof (X));
      return;
    }
#endif
  *to = *from;
}
static __device__ __forceinline__ void scan_arrived (void)
{
#if __CUDA_ARCH__ >= 800
  __pipeline_commit ();
  __pipeline_wait_prior (0);
#endif
}

template <class F>
static __device__ __forceinline__ void scan_read (const gpr_scan_args &a, scan_tile<F> &p)
{
  const typename F::X *x = (const typename F::X *) a.x + p.base;
  const int count = p.outers * p.rows * p.columns, valid = p.valid;

  if (p.columns == a.inner)     /* the tile lies in one piece */
    {
#pragma unroll
      for (int j = 0; j < F::STEPS; j++)
        if ((int) threadIdx.x + j * GPR_SCAN_THREADS < count)
          scan_fetch (&p.s[threadIdx.x + j * GPR_SCAN_THREADS], x + threadIdx.x + j * GPR_SCAN_THREADS);
    }
  else
    {
      scan_cell at (p.columns);
#pragma unroll 4
      for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, at.next ())
        if (at.c < valid)
          scan_fetch (&p.s[e], x + at.row * a.inner + at.c);
    }
  scan_arrived ();
}

/* Some rows of a segment, for itself, by batches: LINE: all of a segment of a single column.  */
template <class F, bool LINE>
static __device__ __forceinline__ int scan_chain (scan_tile<F> &p, int place, int columns, int rows, i64 from, u64 turn, typename F::A *v)
{
  enum { BATCH = 4 };
  int unsure = 0;

#pragma unroll
  for (int first = 0; first < F::STEPS; first += BATCH)
    {
      typename F::X batch[BATCH];
#pragma unroll
      for (int r = first; r < first + BATCH && r < F::STEPS; r++)
        if (LINE || r < rows)
          batch[r - first] = F::turned (p.s[place + r * (LINE ? 1 : columns)], turn);
#pragma unroll
      for (int r = first; r < first + BATCH && r < F::STEPS; r++)
        if (LINE || r < rows)
          {
            if (r == 0)
              F::first (v, batch[0], from);
            else
              F::next (v, batch[r - first], from + r);
            if (F::EACH)
              unsure |= F::unsure (*v);
            const short row = F::pack (*v, from, &p.s[place + r * (LINE ? 1 : columns)]);
            if (F::ROWS)
              p.at[place + r * (LINE ? 1 : columns)] = row;
          }
    }
  return unsure | F::unsure (*v);
}

/* An outer is to be done again.  any is on the host: written once, or products that leave the range everywhere would wait for the bus.  */
static __device__ __forceinline__ void scan_doubts (int *any, int *doubt)
{
  if (*doubt != GPR_SCAN_DOUBT)
    *any = *doubt = GPR_SCAN_DOUBT;
}

/* A thread's segment, for itself.  */
template <class F>
static __device__ __forceinline__ void scan_segment (const gpr_scan_args &a, scan_tile<F> &p)
{
  const int columns = p.columns, tid = threadIdx.x;
  const int c = columns == 1 ? 0 : tid % columns, all = columns == 1 ? tid : tid / columns;
  const int k = p.outers == 1 ? 0 : all / p.segments, s = all - k * p.segments, left = p.rows - s * F::STEPS;
  const int place = (k * p.rows + s * F::STEPS) * columns + c;
  const i64 from = p.from + s * F::STEPS;
  typename F::A v;

  if (left <= 0 || k >= p.outers || c >= p.valid)
    return;
  if (columns == 1 && left >= F::STEPS ? scan_chain<F, true> (p, place, 1, F::STEPS, from, a.turn, &v)
      : scan_chain<F, false> (p, place, columns, left, from, a.turn, &v))
    {
      const i64 stride = a.inner;
      const typename F::X *x = (const typename F::X *) a.x + p.base + (k * a.length + s * F::STEPS) * stride + c;
      F::first (&v, *x, from);
      for (int r = 0; r < F::STEPS && r < left; r++)
        {
          if (r > 0 && F::step (&v, x[r * stride], from + r))
            {
              v = p.keeps ? F::kept (v) : v;
              scan_doubts (a.any, &a.doubt[p.outer + k]);
            }
          F::pack (v, from, &p.s[place + r * columns]);
        }
    }
  p.totals[tid] = v;
}

/* What goes before an element of segment s, and of group g, of the tile.  */
template <class F>
static __device__ __forceinline__ typename F::A
scan_after (const scan_tile<F> &p, bool in_group, int s, bool in_tile, int g, bool late, const typename F::A &earlier, typename F::A z, int *any, int *doubt)
{
  typedef typename F::A A;
  A all = z;
  int unsure = 0;

  if (in_group)
    {
      all = F::plain (p.totals[s], all);
      if (F::EACH)
        unsure |= F::unsure (all);
    }
  if (in_tile)
    {
      all = F::plain (p.of_groups[g], all);
      if (F::EACH)
        unsure |= F::unsure (all);
    }
  if (late)
    all = F::plain (earlier, all);
  if (! (unsure || F::unsure (all)))
    return all;
  if (p.in_doubt && ! p.keeps && F::kind (earlier) != 0 && F::kind (earlier) == F::kind (all))
    return all;         /* nothing is lost but what would raise the doubt again */

  const A before[] = { p.totals[s], p.of_groups[g], earlier };
  const bool is[] = { in_group, in_tile, late };
#pragma unroll
  for (int i = 0; i < 3; i++)
    if (is[i])
      {
        A b = before[i];
        if (F::join (&b, z, p.keeps))
          scan_doubts (any, doubt);
        z = b;
      }
  return z;
}

/* Results go to their places.  first: the column's first element.  */
template <class F>
static __device__ __forceinline__ void scan_put (const gpr_scan_args &a, const typename F::A &all, i64 first, i64 to)
{
  F::put (all, (const typename F::X *) a.x + first, (typename F::X *) a.y + to, a.turn);
  if (F::ROWS && a.index)
    a.index[to] = (double) (F::row (all) + 1);
}

/* A tile of a single column.  Returns the kinds (ops/scan.h) of the thread's results as bits.  */
template <class F>
static __device__ __forceinline__ int scan_write_column (const gpr_scan_args &a, const scan_tile<F> &p)
{
  int kinds = 0;
  const int rows = p.rows;
  const bool late = p.t > 0;
  const typename F::A earlier = p.before[0];
  const i64 first = p.outer * a.length, base = p.base, from = p.from;
  int *doubt = a.doubt + p.outer;

#pragma unroll 4
  for (int e = threadIdx.x; e < rows; e += GPR_SCAN_THREADS)
    {
      const unsigned s = (unsigned) e / F::STEPS, g = s / GPR_SCAN_FOLD;
      const typename F::A z = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, from + s * F::STEPS);
      const typename F::A all = scan_after<F> (p, s % GPR_SCAN_FOLD, s, g, g, late, earlier, z, a.any, doubt);
      scan_put<F> (a, all, first, base + e);
      kinds |= 1 << F::kind (all);
    }
  return kinds;
}

template <class F>
static __device__ __forceinline__ void scan_write (const gpr_scan_args &a, const scan_tile<F> &p)
{
  const int columns = p.columns, outers = p.outers, rows = p.rows, count = outers * rows * columns, valid = p.valid;
  const bool whole = columns == a.inner, late = p.t > 0;
  const i64 base = p.base, from = p.from;
  scan_cell at (columns);

#pragma unroll 2
  for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, at.next ())
    if (at.c < valid)
      {
        const int k = outers == 1 ? 0 : at.row / rows, row = at.row - k * rows;
        const unsigned s = (unsigned) row / F::STEPS, g = s / GPR_SCAN_FOLD;
        const typename F::A z = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, from + s * F::STEPS);
        scan_put<F> (a, scan_after<F> (p, s % GPR_SCAN_FOLD, (k * p.segments + s) * columns + at.c, g, (k * p.groups + g) * columns + at.c,
                                       late, p.before[at.c], z, a.any, a.doubt + p.outer + k),
                     (p.outer + k) * a.length * a.inner + p.column + at.c, base + (whole ? e : at.row * a.inner + at.c));
      }
}

/* AFTER need not read a tile of one kind.  From one to the other goes none but by NaN.  */
template <class F>
static __device__ __forceinline__ void scan_note_kind (const gpr_scan_args &a, const scan_tile<F> &p, int kinds)
{
  if (! a.kinds || p.keeps || __syncthreads_or (kinds & 1))
    return;
  if (threadIdx.x == 0)
    a.kinds[p.outer * a.tiles + p.t] = kinds & 2 ? 1 : 2;
}

/* Blocks of a multiprocessor hide each other's waits.  */
template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS, 4) scan_tiled_k (const gpr_scan_args a)
{
  scan_tile<F> &p = *(scan_tile<F> *) gpr_scan_shared;

  for (;;)
    {
      if (threadIdx.x == 0)
        p.take (a, atomicAdd (a.ticket, 1u));
      __syncthreads ();
      if (p.ticket >= a.works)
        return;
      scan_read (a, p);
      __syncthreads ();
      scan_segment (a, p);
      __syncthreads ();
      if (threadIdx.x < 32)
        scan_tops (p);
      __syncthreads ();
      if (a.tiles > 1)
        {
          scan_join (a, p);
          __syncthreads ();
        }
      if (p.columns * p.outers == 1)
        scan_note_kind (a, p, scan_write_column (a, p));
      else
        scan_write (a, p);
      __syncthreads ();
    }
}

#endif
