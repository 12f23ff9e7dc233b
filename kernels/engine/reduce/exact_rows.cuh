/* EXACT_ROWS: an output of each of many short rows, of what any order suits (exact.cuh).  A few
   neighbouring threads of a warp take a row, the thread that begins it has the result.  */

#ifndef GPR_REDUCE_EXACT_ROWS_CUH
#define GPR_REDUCE_EXACT_ROWS_CUH

#include "exact.cuh"

/* Rows are whole aligned vectors of V, or V is 1, or they are RAGGED: then a thread takes the aligned vectors in which
   there is some of the row, but no vector with something outside of the array.  A thread has so many rows at once,
   and a batch of loads of each on their way.  Shorter rows are one batch, or little more; WARP: a row has a whole
   warp, and several batches, with addresses that the compiler knows.  */
template <class F, int V, bool WARP, bool RAGGED>
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
  const X *const start = (const X *) a.load.array.x;
  const unsigned n = (unsigned) a.length, most = RAGGED ? (n + 2 * V - 2) / V : n / V;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * (R * across); first < a.units; first += (int64_t) gridDim.x * (R * across))
    {
      const int64_t row = first + threadIdx.x / group;
      const X *x[R];                    /* past the last row: the first, which is read in vain */
      unsigned before[R], begin[R], end[R];     /* RAGGED: elements before the row in its first vector; vectors that are read */
      lead_type lead[R];
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          const int64_t i = row + r * across < a.units ? row + r * across : 0;
          x[r] = start + i * n;
          lead[r].init (me < most ? me * V : GPR_NOWHERE);
          before[r] = begin[r] = 0;
          end[r] = most;
          if constexpr (RAGGED)
            {
              before[r] = (unsigned) ((uintptr_t) x[r] / sizeof (X)) % V;
              x[r] -= before[r];
              begin[r] = x[r] < start;
              end[r] = (before[r] + n + V - 1) / V;
              end[r] -= x[r] + end[r] * V > start + a.units * n;
            }
        }
      unsigned j = me;                  /* vector of the row */
      auto go = [&] (bool all) {
        vector p[R][S];
        auto here = [&] (int r, int k) {
          return RAGGED ? j + k * group >= begin[r] && j + k * group < end[r] : all || j + k * group < most;
        };
#pragma unroll
        for (int k = 0; k < S; k++)
#pragma unroll
          for (int r = 0; r < R; r++)
            if (here (r, k))
              p[r][k] = *((const vector *) x[r] + j + k * group);
#pragma unroll
        for (int k = 0; k < S; k++)
#pragma unroll
          for (int r = 0; r < R; r++)
            if (here (r, k))
              {
                const unsigned at = (j + k * group) * V;
                if constexpr (RAGGED)
                  {
                    const int from = (int) (at - before[r]);
                    if (from < 0 || from + V > (int) n)
                      lead[r].take_within (p[r][k], from, (int) n, turn);
                    else
                      lead[r].take (p[r][k], at, turn);
                  }
                else
                  lead[r].take (p[r][k], at, turn);
              }
        j += S * group;
      };
      if constexpr (WARP && ! RAGGED)
#pragma unroll 1
        while (j + (S - 1) * group < most)
          go (true);
#pragma unroll 1
      while (j < most)
        go (false);
      if constexpr (RAGGED)
#pragma unroll
        for (int r = 0; r < R; r++)
          if (begin[r] > 0 || end[r] * V < before[r] + n)       /* the array's ends: some elements twice, which is the same */
#pragma unroll 4
            for (unsigned e = me; e < V; e += group)
              {
                const unsigned from_end = e < n ? e : n - 1;
                lead[r].take_one (x[r][before[r] + from_end], turn);
                lead[r].take_one (x[r][before[r] + n - 1 - from_end], turn);
              }
      lead_type::template merge_rows<R> (lead, group);
#pragma unroll
      for (int r = 0; r < R; r++)
        if (me == 0 && row + r * across < a.units)
          lead[r].store (a, row + r * across, x[r]);
    }
}

template <class F, int V, bool RAGGED> static __device__ __forceinline__ void gpr_exact_rows_by (const gpr_reduce_args &a)
{
  if (a.own.exact_rows.threads == 32)
    gpr_exact_rows_of<F, V, true, RAGGED> (a);
  else
    gpr_exact_rows_of<F, V, false, RAGGED> (a);
}
template <class F> static __device__ __forceinline__ void gpr_exact_rows (const gpr_reduce_args &a)
{
  if constexpr (F::rows_vector > 1)
    if (a.own.exact_rows.vector)
      return gpr_exact_rows_by<F, F::rows_vector, false> (a);
  gpr_exact_rows_by<F, F::ragged_vector, (F::ragged_vector > 1)> (a);
}

#endif
