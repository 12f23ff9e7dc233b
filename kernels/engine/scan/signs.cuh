/* Products that have ended, in tiles.  Of what comes after most often signs alone count.  Then a segment is its signs up to each row, as
   bits, and its total 1 or -1.  */

#ifndef GPR_SCAN_SIGNS_CUH
#define GPR_SCAN_SIGNS_CUH

#include "look_back.cuh"

/* Whether signs alone may count: of products that end.  */
template <class F>
static __device__ __forceinline__ constexpr bool scan_may_turn (void)
{
  if constexpr (F::ENDS)
    return scan_ends<F>::NEUTRAL == 1;
  return false;
}
static __device__ __forceinline__ unsigned scan_sign (f64 x)
{
  u64 bits;
  memcpy (&bits, &x, sizeof bits);
  return (unsigned) (bits >> 32);
}
static __device__ __forceinline__ unsigned scan_sign (f32 x)
{
  unsigned bits;
  memcpy (&bits, &x, sizeof bits);
  return bits;
}

/* The segment of a thread, where there is one: its outer, column and number, and the rows from its first on.  (scan_segment has them in variables:
   of a structure it would leave some to local memory.)  */
template <class F>
struct scan_own_segment
{
  int k, c, s, left;
  __device__ __forceinline__ scan_own_segment (const scan_tile<F> &p)
  {
    const int columns = p.columns, tid = threadIdx.x, all = columns == 1 ? tid : tid / columns;
    c = columns == 1 ? 0 : tid % columns;
    k = p.outers == 1 ? 0 : all / p.segments;
    s = all - k * p.segments;
    left = p.rows - s * F::STEPS;
  }
  __device__ __forceinline__ bool there (const scan_tile<F> &p) const { return left > 0 && k < p.outers && c < p.valid; }
};

/* The signs of a segment's rows, by words, and whether an element does more than turn; x: the first, a step apart.  Of ALL rows, or of some.  */
template <class F, bool ALL>
static __device__ __forceinline__ bool
scan_sign_rows (const typename F::X *x, int step, int from, int to, typename F::A ended, unsigned *word, unsigned *sign)
{
  bool more = false;

#pragma unroll
  for (int first = 0; first < F::STEPS; first += 32)
    {
      unsigned bits = 0;
#pragma unroll (ALL ? 32 : 1)
      for (int r = 0; r < 32 && first + r < F::STEPS; r++, x += step)
        if (ALL || (first + r >= from && first + r < to))
          {
            *sign ^= scan_sign (*x);
            more |= ! scan_ends<F>::turns (ended, *x);
            bits |= *sign >> (31 - r) & 1u << r;
          }
      word[first / 32] = bits;
    }
  return more;
}

/* Signs take the place of the elements: a segment's words.  False: elements do more than turn, and are as they were.  */
template <class F>
static __device__ __forceinline__ bool scan_signs (scan_tile<F> &p)
{
  enum { WORDS = (F::STEPS + 31) / 32 };
  const scan_own_segment<F> at (p);
  unsigned word[WORDS] = {}, sign = 0;
  bool more = false;

  if (at.there (p))
    {
      const int columns = p.columns, column = at.k * columns + at.c, done = p.done[column] - at.s * F::STEPS;
      const typename F::A ended = p.ended[column];
      const typename F::X *x = p.s + (at.k * p.rows + at.s * F::STEPS) * columns + at.c;
      if (done >= F::STEPS)
        ;
      else if (done > 0 || at.left < F::STEPS)
        more = scan_sign_rows<F, false> (x, columns, done, at.left, ended, word, &sign);
      else if (columns == 1)
        more = scan_sign_rows<F, true> (x, 1, 0, 0, ended, word, &sign);
      else
        more = scan_sign_rows<F, true> (x, columns, 0, 0, ended, word, &sign);
      more = more && ended == ended;
    }
  if (__syncthreads_or (more))
    return false;
  if (at.there (p))
    {
#pragma unroll
      for (int w = 0; w < WORDS; w++)
        ((unsigned *) p.s)[threadIdx.x * WORDS + w] = word[w];
      p.totals[threadIdx.x] = sign >> 31 ? -1 : 1;
    }
  return true;
}

/* With the signs of what goes before each segment, and what a column is with either sign, in the window.  */
template <class F>
static __device__ __forceinline__ void scan_turn_signs (scan_tile<F> &p)
{
  enum { WORDS = (F::STEPS + 31) / 32 };
  const scan_own_segment<F> at (p);
  const int g = at.s / GPR_SCAN_FOLD;

  if (! at.there (p))
    return;
  if ((at.s % GPR_SCAN_FOLD && p.totals[threadIdx.x] < 0) != (g > 0 && p.of_groups[(at.k * p.groups + g) * p.columns + at.c] < 0))
    for (int w = 0; w < WORDS; w++)
      ((unsigned *) p.s)[threadIdx.x * WORDS + w] ^= ~0u;
  if (at.s == 0)
    for (int turned = 0; turned < 2; turned++)
      {
        typename F::A all = p.late ? p.before[at.c] : 1;
        F::merge (&all, turned ? -1 : 1);
        p.window[2 * (at.k * p.columns + at.c) + turned] = scan_ends<F>::after (p.ended[at.k * p.columns + at.c], all);
      }
}

template <class F>
static __device__ __forceinline__ bool scan_is_turned (const scan_tile<F> &p, int row, int first, int columns)
{
  enum { WORDS = (F::STEPS + 31) / 32 };
  const unsigned s = (unsigned) row / F::STEPS, r = row - s * F::STEPS;
  return ((const unsigned *) p.s)[(first + s * columns) * WORDS + (WORDS > 1 ? r / 32 : 0)] >> r % 32 & 1;
}

template <class F>
static __device__ __forceinline__ void scan_write_signs (const gpr_scan_args &a, const scan_tile<F> &p)
{
  typedef typename F::X X;
  const int columns = p.columns, rows = p.rows, count = p.outers * rows * columns;
  const bool whole = columns == a.inner;
  X *y = (X *) a.y + p.base;

  if (p.outers == 1 && GPR_SCAN_THREADS % columns == 0)         /* a thread has but one column */
    {
      const int c = threadIdx.x % columns, step = GPR_SCAN_THREADS / columns;
      if (c >= p.valid)
        return;
      const X plain = p.window[2 * c], turned = p.window[2 * c + 1];
      const int done = p.done[c];
      const i64 onward = step * a.inner;
      int row = threadIdx.x / columns;
      y += row * a.inner + c;
#pragma unroll 4
      for (; row < rows; row += step, y += onward)
        if (row >= done)
          *y = scan_is_turned (p, row, c, columns) ? turned : plain;
      return;
    }
  scan_cell at (columns);
#pragma unroll 2
  for (int e = threadIdx.x; e < count; e += GPR_SCAN_THREADS, at.next ())
    if (at.c < p.valid)
      {
        const int k = p.outers == 1 ? 0 : at.row / rows, row = at.row - k * rows, column = k * columns + at.c;
        if (row >= p.done[column])
          y[whole ? e : at.row * a.inner + at.c] = p.window[2 * column + scan_is_turned (p, row, k * p.segments * columns + at.c, columns)];
      }
}

#endif
