/* A block takes a tile, which it reads and writes once.  */

#ifndef GPR_SCAN_TILES_CUH
#define GPR_SCAN_TILES_CUH

#include "look_back.cuh"

/* Replaces n totals, a stride apart, by what is before each; returns all of them.  */
template <class F>
static __device__ __forceinline__ typename F::A scan_fold (typename F::A *at, int n, int stride)
{
  typename F::A all = *at;
  for (int i = 1; i < n; i++)
    {
      const typename F::A own = at[i * stride];
      at[i * stride] = all;
      F::merge (&all, own);
    }
  return all;
}

/* By a warp: from the segments' totals to what goes before each segment.  */
template <class F>
static __device__ void scan_tops (const gpr_scan_args &a, const scan_tile<F> &p)
{
  typedef typename F::A A;
  enum { WORDS = sizeof (A) / 4 };
  const int lane = threadIdx.x;
  const i64 next = a.inner * WORDS;
  unsigned long long *states = a.states + (p.outer * a.tiles * a.inner + p.column) * WORDS;

  for (int l = lane; l < p.outers * p.groups * p.columns; l += 32)
    {
      const int c = l % p.columns, g = l / p.columns % p.groups, k = l / p.columns / p.groups, s = g * GPR_SCAN_FOLD;
      if (c < p.valid)
        p.of_groups[l] = scan_fold<F> (p.totals + (k * p.segments + s) * p.columns + c,
                                       p.segments - s < GPR_SCAN_FOLD ? p.segments - s : (int) GPR_SCAN_FOLD, p.columns);
    }
  __syncwarp ();
  A own;
  for (int l = lane; l < p.outers * p.columns; l += 32)
    if (l % p.columns < p.valid)
      own = scan_fold<F> (p.of_groups + l / p.columns * p.groups * p.columns + l % p.columns, p.groups, p.columns);
  if (a.tiles == 1)
    return;
  if (lane < p.valid)
    scan_publish (states + p.t * next + lane * WORDS, own, p.t ? GPR_SCAN_TOTAL : GPR_SCAN_UP_TO);
  if (p.t == 0)
    return;
  scan_look_back<F> (p, states, next);
  if (lane < p.valid && p.t + 1 < a.tiles)
    {
      A all = p.before[lane];
      F::merge (&all, own);
      scan_publish (states + p.t * next + lane * WORDS, all, GPR_SCAN_UP_TO);
    }
}

/* all <- before o all, where there is something before.  */
template <class F>
static __device__ __forceinline__ int scan_after (bool is, typename F::A before, typename F::A *all)
{
  if (! is)
    return 0;
  const int lost = F::merge (&before, *all);
  *all = before;
  return lost;
}

/* The rows of segment s of outer k and column c of the tile, at `place' in it.  Whether the column must
   be done again.  */
template <class F>
static __device__ __forceinline__ int scan_rows (const gpr_scan_args &a, const scan_tile<F> &p, int k, int s, int c, int place)
{
  typedef typename F::A A;
  const int last = p.rows - s * F::STEPS;
  const A in_group = p.totals[threadIdx.x], in_tile = p.of_groups[(k * p.groups + s / GPR_SCAN_FOLD) * p.columns + c];
  const A earlier = p.before[c];
  const typename F::X first = ((const typename F::X *) a.x)[(p.outer + k) * a.length * a.inner + p.column + c];
  const i64 from = p.from + s * F::STEPS;
  int lost = 0;
  A v;

  for (int r = 0; r < F::STEPS && r < last; r++, place += p.columns)
    {
      if (r == 0)
        F::first (&v, p.s[place], from);
      else
        lost |= F::step (&v, p.s[place], from + r);
      A all = v;
      lost |= scan_after<F> (s % GPR_SCAN_FOLD, in_group, &all);
      lost |= scan_after<F> (s >= GPR_SCAN_FOLD, in_tile, &all);
      lost |= scan_after<F> (p.t > 0, earlier, &all);
      const i64 row = F::put (all, first, &p.s[place]);
      if (a.index)
        p.at[place] = (short) (row < p.from ? -1 : row - p.from);
    }
  return lost;
}

/* Where element e of the tile lies, from its first; -1: beside the array.  */
template <class F>
static __device__ __forceinline__ i64 scan_place (const gpr_scan_args &a, const scan_tile<F> &p, int e)
{
  return e >= p.outers * p.rows * p.columns ? -1 : p.columns == a.inner ? e
         : e % GPR_SCAN_COLUMNS >= p.valid ? -1 : e / GPR_SCAN_COLUMNS * a.inner + e % GPR_SCAN_COLUMNS;
}

template <class F>
static __device__ __forceinline__ void scan_read (const gpr_scan_args &a, const scan_tile<F> &p, i64 base)
{
  const typename F::X *x = (const typename F::X *) a.x + base;
  typename F::X batch[F::STEPS];        /* all on their way at once */

#pragma unroll
  for (int k = 0; k < F::STEPS; k++)
    {
      const i64 at = scan_place (a, p, threadIdx.x + k * GPR_SCAN_THREADS);
      if (at >= 0)
        batch[k] = x[at];
    }
#pragma unroll
  for (int k = 0; k < F::STEPS; k++)
    if (scan_place (a, p, threadIdx.x + k * GPR_SCAN_THREADS) >= 0)
      p.s[threadIdx.x + k * GPR_SCAN_THREADS] = batch[k];
}

template <class F>
static __device__ __forceinline__ void scan_write (const gpr_scan_args &a, const scan_tile<F> &p, i64 base)
{
#pragma unroll
  for (int k = 0; k < F::STEPS; k++)
    {
      const int e = threadIdx.x + k * GPR_SCAN_THREADS;
      const i64 at = scan_place (a, p, e);
      if (at < 0)
        continue;
      ((typename F::X *) a.y)[base + at] = p.s[e];
      if (a.index)
        a.index[base + at] = (double) ((p.at[e] < 0 ? F::row (p.before[e % p.columns]) : p.from + p.at[e]) + 1);
    }
}

template <class F>
__global__ void __launch_bounds__ (GPR_SCAN_THREADS) scan_tiled_k (const gpr_scan_args a)
{
  scan_tile<F> p (a.inner);
  unsigned *ticket = (unsigned *) (p.at + (a.index ? scan_tile<F>::ELEMENTS : 0));

  for (;;)
    {
      if (threadIdx.x == 0)
        *ticket = atomicAdd (a.ticket, 1u);
      __syncthreads ();
      if (! p.take (a, *ticket))
        return;
      const i64 base = (p.outer * a.length + p.from) * a.inner + p.column;
      scan_read (a, p, base);
      __syncthreads ();

      const int c = threadIdx.x % p.columns, s = threadIdx.x / p.columns % p.segments, k = threadIdx.x / p.columns / p.segments;
      const int place = (k * p.rows + s * F::STEPS) * p.columns + c;
      const bool works = k < p.outers && c < p.valid;
      if (works)
        {
          typename F::A v;
          F::first (&v, p.s[place], p.from + s * F::STEPS);
          for (int r = 1; r < F::STEPS && s * F::STEPS + r < p.rows; r++)
            F::step (&v, p.s[place + r * p.columns], p.from + s * F::STEPS + r);
          p.totals[threadIdx.x] = v;
        }
      __syncthreads ();
      if (threadIdx.x < 32)
        scan_tops (a, p);
      __syncthreads ();
      if (works && scan_rows (a, p, k, s, c, place))
        a.doubt[p.outer + k] = 1;
      __syncthreads ();
      scan_write (a, p, base);
    }
}

#endif
