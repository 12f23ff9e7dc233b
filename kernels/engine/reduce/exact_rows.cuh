/* EXACT_ROWS: an output of each of many short rows, of what any order suits (exact.cuh).  A few
   neighbouring threads of a warp take a row, the thread that begins it has the result.  */

#ifndef GPR_REDUCE_EXACT_ROWS_CUH
#define GPR_REDUCE_EXACT_ROWS_CUH

#include "exact.cuh"

/* Rows are whole aligned vectors of V, or V is 1.  A thread has so many rows at once, and a batch of
   loads of each on their way.  Shorter rows are one batch, or little more; WARP: a row has a whole warp,
   and several batches, with addresses that the compiler knows.  */
template <class F, int V, bool WARP>
static __device__ __forceinline__ void gpr_exact_rows_of (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef gpr_vector<X, V> vector;
  typedef typename gpr_exact<F>::template row<V> lead_type;
  constexpr bool wide = sizeof (X) > 4 || (sizeof (X) == 4 && V == 1);
  constexpr int T = GPR_REDUCE_THREADS, S = GPR_EXACT_ROWS_LOADS (sizeof (X), V) * (WARP && ! wide ? 2 : 1);
  constexpr int R = WARP || wide ? GPR_EXACT_ROWS_AT_ONCE_WIDE : GPR_EXACT_ROWS_AT_ONCE;
  const u64 turn = a.load.array.turn;
  const unsigned group = WARP ? 32 : a.own.exact_rows.threads, me = threadIdx.x & (group - 1), across = T / group;
  const unsigned n = (unsigned) a.length, loads = n / V;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * (R * across); first < a.units; first += (int64_t) gridDim.x * (R * across))
    {
      const int64_t row = first + threadIdx.x / group;
      const X *x[R];                    /* past the last row: the first, which is read in vain */
      lead_type lead[R];
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          x[r] = (const X *) a.load.array.x + (row + r * across < a.units ? row + r * across : 0) * n;
          lead[r].init (me < loads ? me * V : GPR_NOWHERE);
        }
      unsigned j = me;                  /* vector of the row */
      auto go = [&] (bool all) {
        vector p[R][S];
#pragma unroll
        for (int k = 0; k < S; k++)
          if (all || j + k * group < loads)
#pragma unroll
            for (int r = 0; r < R; r++)
              p[r][k] = *((const vector *) x[r] + j + k * group);
#pragma unroll
        for (int k = 0; k < S; k++)
          if (all || j + k * group < loads)
#pragma unroll
            for (int r = 0; r < R; r++)
              lead[r].take (p[r][k], (j + k * group) * V, turn);
        j += S * group;
      };
      if constexpr (WARP)
#pragma unroll 1
        while (j + (S - 1) * group < loads)
          go (true);
#pragma unroll 1
      while (j < loads)
        go (false);
      lead_type::template merge_rows<R> (lead, group);
#pragma unroll
      for (int r = 0; r < R; r++)
        if (me == 0 && row + r * across < a.units)
          lead[r].store (a, row + r * across, x[r]);
    }
}

template <class F, int V> static __device__ __forceinline__ void gpr_exact_rows_by (const gpr_reduce_args &a)
{
  if (a.own.exact_rows.threads == 32)
    gpr_exact_rows_of<F, V, true> (a);
  else
    gpr_exact_rows_of<F, V, false> (a);
}
template <class F> static __device__ __forceinline__ void gpr_exact_rows (const gpr_reduce_args &a)
{
  if constexpr (F::rows_vector > 1)
    if (a.own.exact_rows.vector)
      return gpr_exact_rows_by<F, F::rows_vector> (a);
  gpr_exact_rows_by<F, 1> (a);
}

#endif
