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
  enum { BATCH = 8 };
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
            F::merge (&all, own[j]);
          }
    }
  return all;
}

/* From the segments' totals to what goes before each segment in its tile.  By a warp.  */
template <class F>
static __device__ __forceinline__ void scan_tops (scan_tile<F> &p)
{
  for (int l = threadIdx.x; l < p.outers * p.groups * p.columns; l += 32)
    {
      const int c = l % p.columns, g = l / p.columns % p.groups, k = l / p.columns / p.groups, s = g * GPR_SCAN_FOLD;
      if (c < p.valid)
        p.of_groups[l] = scan_fold<F> (p.totals + (k * p.segments + s) * p.columns + c,
                                       p.segments - s < GPR_SCAN_FOLD ? p.segments - s : (int) GPR_SCAN_FOLD, p.columns);
    }
  __syncwarp ();
  for (int l = threadIdx.x; l < p.outers * p.columns; l += 32)
    {
      const int c = l % p.columns;
      if (c < p.valid)          /* of several outers, the last's: no other tile asks */
        p.own[c] = scan_fold<F> (p.of_groups + l / p.columns * p.groups * p.columns + c, p.groups, p.columns);
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
  enum { WORDS = sizeof (A) / 4 };
  const int c = threadIdx.x;
  const i64 next = a.inner * WORDS;
  unsigned long long *states = a.states + (p.outer * a.tiles * a.inner + p.column) * WORDS;

  if (c < p.valid)
    scan_publish (states + p.t * next + c * WORDS, p.own[c], p.t ? GPR_SCAN_TOTAL : GPR_SCAN_UP_TO);
  if (p.t == 0)
    return;
  scan_look_back<F> (p, states, next);
  if (c < p.valid && p.t + 1 < a.tiles && ! GPR_SCAN_IS_LATE (p.t))
    {
      A all = p.before[c];
      F::merge (&all, p.own[c]);
      scan_publish (states + p.t * next + c * WORDS, all, GPR_SCAN_UP_TO);
    }
}

/* Where element e of the tile lies, from its first; -1: beside the array.  */
template <class F>
static __device__ __forceinline__ i64 scan_offset (const gpr_scan_args &a, const scan_tile<F> &p, int e)
{
  if (e >= p.outers * p.rows * p.columns)
    return -1;
  if (p.columns == a.inner)
    return e;
  const int row = __umulhi (e, p.by_columns), c = e - row * p.columns;
  return c >= p.valid ? -1 : row * a.inner + c;
}

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
#pragma unroll 2
  for (int j = 0; j < F::STEPS; j++)
    {
      const int e = threadIdx.x + j * GPR_SCAN_THREADS;
      const i64 at = scan_offset (a, p, e);
      if (at >= 0)
        scan_fetch (&p.s[e], (const typename F::X *) a.x + p.base + at);
    }
  scan_arrived ();
}

/* A thread's segment, for itself.  */
template <class F>
static __device__ __forceinline__ void scan_segment (const gpr_scan_args &a, scan_tile<F> &p)
{
  const int c = threadIdx.x % p.columns, s = threadIdx.x / p.columns % p.segments, k = threadIdx.x / p.columns / p.segments;
  const int place = (k * p.rows + s * F::STEPS) * p.columns + c;
  const i64 from = p.from + s * F::STEPS;
  if (k >= p.outers || c >= p.valid)
    return;

  const int columns = p.columns, last = p.rows - s * F::STEPS < F::STEPS ? p.rows - s * F::STEPS : (int) F::STEPS;
  typename F::A v;
  int unsure = 0, lost = 0;
  F::first (&v, p.s[place], from);
#pragma unroll 4
  for (int r = 0; r < last; r++)
      {
        typename F::X *at = &p.s[place + r * columns];
        if (r > 0)
          F::next (&v, *at, from + r);
        if (F::EACH)
          unsure |= F::unsure (v);
        const short row = F::pack (v, from, at);
        if (F::ROWS)
          p.at[place + r * columns] = row;
      }
  if (unsure || F::unsure (v))
    {
      const i64 stride = p.columns == a.inner ? p.columns : a.inner;
      const typename F::X *x = (const typename F::X *) a.x + p.base + (k * a.length + s * F::STEPS) * stride + c;
      F::first (&v, *x, from);
      for (int r = 0; r < F::STEPS && s * F::STEPS + r < p.rows; r++)
        {
          if (r > 0)
            lost |= F::step (&v, x[r * stride], from + r);
          F::pack (v, from, &p.s[place + r * p.columns]);
        }
    }
  p.totals[threadIdx.x] = v;
  if (lost)
    a.doubt[p.outer + k] = 1;
}

/* all <- before o all, where there is something before.  */
template <class F>
static __device__ __forceinline__ void scan_after (bool is, const typename F::A *before, typename F::A *all, int *unsure)
{
  if (! is)
    return;
  *all = F::plain (*before, *all);
  if (F::EACH)
    *unsure |= F::unsure (*all);
}
template <class F>
static __device__ __forceinline__ int scan_surely_after (bool is, typename F::A before, typename F::A *all)
{
  if (! is)
    return 0;
  const int lost = F::merge (&before, *all);
  *all = before;
  return lost;
}

/* What goes before each element, which then goes to its place.  */
template <class F>
static __device__ __forceinline__ void scan_write (const gpr_scan_args &a, const scan_tile<F> &p)
{
  typedef typename F::A A;
  const int columns = p.columns, outers = p.outers;

#pragma unroll 4
  for (int j = 0; j < F::STEPS; j++)
    {
      const int e = threadIdx.x + j * GPR_SCAN_THREADS;
      const i64 to = scan_offset (a, p, e);
      if (to < 0)
        continue;
      const int row = columns == 1 ? e : __umulhi (e, p.by_columns), c = e - row * columns;
      const int k = outers == 1 ? 0 : __umulhi (e, p.by_slab), s = (row - k * p.rows) / F::STEPS;
      const A *in_group = &p.totals[(k * p.segments + s) * p.columns + c];
      const A *in_tile = &p.of_groups[(k * p.groups + s / GPR_SCAN_FOLD) * p.columns + c], *earlier = &p.before[c];
      const A z = F::unpack (p.s[e], F::ROWS ? p.at[e] : 0, p.from + s * F::STEPS);
      A all = z;
      int unsure = 0;

      scan_after<F> (s % GPR_SCAN_FOLD, in_group, &all, &unsure);
      scan_after<F> (s >= GPR_SCAN_FOLD, in_tile, &all, &unsure);
      scan_after<F> (p.t > 0, earlier, &all, &unsure);
      if (unsure || F::unsure (all))
        {
          all = z;
          int lost = scan_surely_after<F> (s % GPR_SCAN_FOLD, *in_group, &all);
          lost |= scan_surely_after<F> (s >= GPR_SCAN_FOLD, *in_tile, &all);
          lost |= scan_surely_after<F> (p.t > 0, *earlier, &all);
          if (lost)
            a.doubt[p.outer + k] = 1;
        }
      F::put (all, (const typename F::X *) a.x + (p.outer + k) * a.length * a.inner + p.column + c, (typename F::X *) a.y + p.base + to);
      if (a.index)
        a.index[p.base + to] = (double) (F::row (all) + 1);
    }
}

/* Blocks of a multiprocessor hide each other's waits.  */
template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS, sizeof (typename F::X) == 16 ? 2 : 3) scan_tiled_k (const gpr_scan_args a)
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
      scan_write (a, p);
      __syncthreads ();
    }
}

#endif
