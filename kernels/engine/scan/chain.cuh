/* What goes before each tile of columns, from the tiles' totals: a thread goes down a column, by windows that all of its block bring.  */

#ifndef GPR_SCAN_CHAIN_CUH
#define GPR_SCAN_CHAIN_CUH

/* Accumulators of turned elements, where the host's are not.  */
template <class F> static __device__ __forceinline__ typename F::A scan_turned (typename F::A a, u64 turn)
{
  if constexpr (F::ROWS)
    a.v = F::turned (a.v, turn);
  return a;
}

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

template <class F> static __device__ __forceinline__ void scan_chain (const gpr_scan_args &a)
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
        all = scan_turned<F> (((const A *) a.level)[column + c], a.turn);
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
        ((A *) a.level)[column + c] = scan_turned<F> (all, a.turn);
    }
}

#endif
