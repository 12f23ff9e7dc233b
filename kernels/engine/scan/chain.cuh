/* What goes before each tile of columns, from the tiles' totals: a thread goes down a column, by windows that all of its block bring.  Of few
   columns a warp each: its lanes have a window, and all do the same steps, whose operands no step waits for.  */

#ifndef GPR_SCAN_CHAIN_CUH
#define GPR_SCAN_CHAIN_CUH

/* Levels are the host's accumulators, whose elements are not turned.  Those of extremes have a row, which is negative as long as there was no number;
   where nobody wants it, accumulators here are values, and NaN then.  */
template <class F> struct scan_levels
{
  typedef typename F::X X;
  typedef typename F::A A;
  struct __align__ (16) extreme { X v; i64 i; };
  static constexpr bool values = ! F::SUMS && ! F::ROWS;

  static __device__ __forceinline__ X no_number (const f64 *) { return (X) gpr_make_nan (); }
  static __device__ __forceinline__ X no_number (const f32 *) { return (X) gpr_make_nan (); }
  static __device__ __forceinline__ X no_number (const c128 *) { X x; x.re = x.im = gpr_make_nan (); return x; }
  static __device__ __forceinline__ X no_number (const c64 *) { X x; x.re = x.im = (f32) gpr_make_nan (); return x; }
  template <class T> static __device__ __forceinline__ X no_number (const T *) { return X (); }

  static __device__ __forceinline__ bool is_number (const c128 &x) { return x.re == x.re && x.im == x.im; }
  static __device__ __forceinline__ bool is_number (const c64 &x) { return x.re == x.re && x.im == x.im; }
  template <class T> static __device__ __forceinline__ bool is_number (const T &x) { return x == x; }

  static __device__ __forceinline__ A get (const gpr_scan_args &a, i64 column)
  {
    if constexpr (values)
      {
        const extreme level = ((const extreme *) a.level)[column];
        return level.i < 0 ? no_number ((const X *) 0) : F::turned (level.v, a.turn);
      }
    else
      {
        A level = ((const A *) a.level)[column];
        if constexpr (F::ROWS)
          level.v = F::turned (level.v, a.turn);
        return level;
      }
  }
  static __device__ __forceinline__ void set (const gpr_scan_args &a, i64 column, A all)
  {
    if constexpr (values)
      {
        extreme level;
        level.i = is_number (all) ? 0 : -1;
        level.v = is_number (all) ? F::turned (all, a.turn) : X ();
        ((extreme *) a.level)[column] = level;
      }
    else
      {
        if constexpr (F::ROWS)
          all.v = F::turned (all.v, a.turn);
        ((A *) a.level)[column] = all;
      }
  }
};

/* The states of some tiles, from the first-th on, to s, whose rows are of a band's columns; or back.  */
template <class F, bool BACK>
static __device__ __forceinline__ void
scan_move_states (const gpr_scan_args &a, typename F::A *s, i64 first, int tiles, i64 column, int columns, int valid)
{
  enum { WORDS = (sizeof (typename F::A) + 3) / 4 };
  for (int e = threadIdx.x; e < tiles * columns; e += GPR_SCAN_CHAIN_THREADS)
    {
      const int k = e / columns, c = e - k * columns;
      unsigned long long *state = a.states + ((first + k) * a.inner + column + c) * WORDS;
      if (c >= valid)
        continue;
      if (BACK)
        scan_publish (state, s[e], GPR_SCAN_UP_TO);
      else
        scan_look (state, &s[e]);
    }
}

/* With what NaN asks for, of column c; all: what is before the window.  */
template <class F>
static __device__ __noinline__ typename F::A
scan_chain_surely (const gpr_scan_args &a, typename F::A *at, bool late, typename F::A all, i64 first, int tiles, i64 column, int stride)
{
  enum { WORDS = (sizeof (typename F::A) + 3) / 4 };
  for (int k = 0; k < tiles; k++)
    {
      typename F::A own;
      scan_look (a.states + ((first + k) * a.inner + column) * WORDS, &own);
      at[k * stride] = all;
      if (late || k > 0)
        F::merge (&all, own);
      else
        all = own;
    }
  return all;
}

/* ---- few columns ------------------------------------------------------------------------- */

template <class A> static __device__ __forceinline__ A scan_of_lane (const A &a, int lane)
{
  enum { WORDS = (sizeof (A) + 3) / 4 };
  unsigned word[WORDS] = {};
  A from;
  memcpy (word, &a, sizeof (A));
#pragma unroll
  for (int w = 0; w < WORDS; w++)
    word[w] = __shfl_sync (0xffffffffu, word[w], lane);
  memcpy (&from, word, sizeof (A));
  return from;
}

/* all: of what is before the window, then with it; returns what is before this lane's tile.  late: something is before.  */
template <class F, bool SURE>
static __device__ __forceinline__ typename F::A scan_chain_lanes (const typename F::A &own, int tiles, bool late, typename F::A *all)
{
  typename F::A before = *all;
  if (! SURE && late && tiles == 32)    /* nothing but the operation between a step and the next */
    {
#pragma unroll
      for (int k = 0; k < 32; k++)
        {
          const typename F::A next = scan_of_lane (own, k);
          before = k == (int) (threadIdx.x & 31) ? *all : before;
          *all = F::plain (*all, next);
        }
      return before;
    }
#pragma unroll 8
  for (int k = 0; k < 32; k++)
    {
      const typename F::A next = scan_of_lane (own, k);
      if (k == (int) (threadIdx.x & 31))
        before = *all;
      if (k >= tiles)
        ;
      else if (! late && k == 0)
        *all = next;
      else if (SURE)
        F::merge (all, next);
      else
        *all = F::plain (*all, next);
    }
  return before;
}

/* The same of extremes, which may be taken in any order as long as the earlier one wins: by doubling.  */
template <class F>
static __device__ __forceinline__ typename F::A scan_chain_extremes (typename F::A up_to, int tiles, bool late, typename F::A *all)
{
  const int lane = threadIdx.x & 31;
  const typename F::A from = *all;
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
    {
      typename F::A earlier = scan_of_lane (up_to, (lane - d) & 31);
      if (lane >= d)
        {
          F::merge (&earlier, up_to);
          up_to = earlier;
        }
    }
  const typename F::A last = scan_of_lane (up_to, tiles - 1), previous = scan_of_lane (up_to, (lane - 1) & 31);
  typename F::A before = lane > 0 && ! late ? previous : from;
  if (late)
    {
      F::merge (all, last);
      if (lane > 0)
        F::merge (&before, previous);
    }
  else
    *all = last;
  return before;
}

template <class F> static __device__ __forceinline__ void scan_chain_column (const gpr_scan_args &a, i64 column)
{
  typedef typename F::A A;
  enum { WORDS = (sizeof (A) + 3) / 4 };
  const int lane = threadIdx.x & 31;
  const i64 next = a.inner * WORDS;
  unsigned long long *state = a.states + (lane * a.inner + column) * WORDS;
  A all = A (), own = A (), later = A ();

  if (a.goes_on)
    all = scan_levels<F>::get (a, column);
  if (lane < a.tiles)
    scan_look (state, &own);
  for (i64 first = 0; first < a.tiles; first += 32, state += 32 * next, own = later)
    {
      const int tiles = (int) (a.tiles - first < 32 ? a.tiles - first : 32);
      const bool late = first > 0 || a.goes_on;
      const A from = all;
      if (first + 32 + lane < a.tiles)
        scan_look (state + 32 * next, &later);
      A before;
      if constexpr (! F::SUMS)
        before = scan_chain_extremes<F> (own, tiles, late, &all);
      else
        before = scan_chain_lanes<F, false> (own, tiles, late, &all);
      if (F::SUMS && F::strange (all))
        {
          all = from;
          before = scan_chain_lanes<F, true> (own, tiles, late, &all);
        }
      if (lane < tiles)
        scan_publish (state, before, GPR_SCAN_UP_TO);
    }
  if (lane == 0)
    scan_levels<F>::set (a, column, all);
}

/* ---- many ----------------------------------------------------------------------------------- */

template <class F> static __device__ __forceinline__ void scan_chain_bands (const gpr_scan_args &a)
{
  typedef typename F::A A;
  const int columns = gpr_scan_columns (a.inner), deep = GPR_SCAN_WINDOW / (int) sizeof (A) / columns, c = threadIdx.x;
  A *before = (A *) gpr_scan_shared, *totals = before + columns;        /* of each column what goes before the window, and its totals */

  for (i64 band = blockIdx.x; band < gpr_scan_bands (a.inner); band += gridDim.x)
    {
      const i64 column = band * columns;
      const int valid = (int) (a.inner - column < columns ? a.inner - column : columns);
      A all = A ();

      if (c < valid && a.goes_on)
        all = scan_levels<F>::get (a, column + c);
      for (i64 first = 0; first < a.tiles; first += deep)
        {
          const int tiles = (int) (a.tiles - first < deep ? a.tiles - first : deep);
          const bool late = first > 0 || a.goes_on;
          scan_move_states<F, false> (a, totals, first, tiles, column, columns, valid);
          __syncthreads ();
          if (c < valid)
            {
              const A from = all;
              before[c] = from;
              all = late ? scan_fold<F> (before + c, tiles + 1, columns) : scan_fold<F> (totals + c, tiles, columns);
              if (F::strange (all))
                all = scan_chain_surely<F> (a, totals + c, late, from, first, tiles, column + c, columns);
            }
          __syncthreads ();
          scan_move_states<F, true> (a, totals, first, tiles, column, columns, valid);
          __syncthreads ();
        }
      if (c < valid)
        scan_levels<F>::set (a, column + c, all);
    }
}

template <class F> static __device__ __forceinline__ void scan_chain (const gpr_scan_args &a)
{
  enum { WARPS = GPR_SCAN_CHAIN_THREADS / 32 };
  if (a.inner > 2 * WARPS)
    scan_chain_bands<F> (a);
  else
    for (i64 c = threadIdx.x / 32; c < a.inner; c += WARPS)
      scan_chain_column<F> (a, c);
}

#endif
