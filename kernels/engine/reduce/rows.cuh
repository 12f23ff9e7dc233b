/* ROWS and WARPS: contiguous rows of one part each, an output by a few threads of a warp, by
   a warp, or by two.  */

#ifndef GPR_REDUCE_ROWS_CUH
#define GPR_REDUCE_ROWS_CUH

#include "emit.cuh"
#include "merge.cuh"
#include "steps.cuh"

/* Extremes of singles: the instruction for the greater of two takes the one that is no NaN, and whichever zero, which does not matter
   (ops/extreme.h).  Comparisons need predicates, of which there are few: ptxas had each load wait for the steps of those before.  */
template <class F, class X = typename F::X> constexpr bool gpr_has_greater = false;
template <class F> constexpr bool gpr_has_greater<F, f32> = (F::traits & GPR_PREFERS_GREATER) != 0 && (F::traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX;

/* There are so many rows that little but loads and steps may be left of each; of short ones a thread
   has two on their way.  A thread has G * V of a row's LANES lanes: G vectors of V.  With G above 2
   (WARPS) rows are whole vectors.  */
template <class F, class L, int LANES, int V, int G>
static __device__ __forceinline__ int gpr_rows (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, group = LANES / (G * V), spread = group * V, bytes = G * V * (int) sizeof (X);
  /* Steps on their way: as many as 64 registers hold beside the accumulators, more beside wide ones; long rows need but one.  */
  constexpr int S = F::heavy || bytes > 32 ? 1 : sizeof (A) > 16 && ! F::indexed ? 8 : L::bytes > (int) sizeof (X) || (V > 1 && sizeof (X) == 8) || (bytes > 8 && G * V * sizeof (A) > 16) ? 2 : 4;
  constexpr int ROWS = G <= 2 ? F::rows_at_once : 1;
  constexpr int fit = gpr_tuned::rows_bytes / (V * L::bytes), H = fit < 1 ? 1 : fit < G ? fit : G;        /* vectors at once */
  const int me = threadIdx.x & (group - 1), f0 = me * V;
  const int full = (int) ((unsigned) a.length / LANES), rest = (int) a.length & (LANES - 1);
  const int my_row = threadIdx.x / group, stride = gridDim.x * (T / group);
  int needs_fixup = 0, buffer = 0;

#pragma unroll 1
  for (int64_t first = blockIdx.x * (T / group); first < a.units; first += ROWS * stride)
    {
      const int64_t i = first + my_row;
      A acc[ROWS][G][V];
      typename L::cursor row[ROWS];     /* past the last row: the first, which is read in vain */
      typename L::template fixed<V> fixed[ROWS];
#pragma unroll
      for (int o = 0; o < ROWS; o++)
        {
          row[o] = L::begin (a.load) + (i + o * stride < a.units ? i + o * stride : 0) * a.outer_stride;
          fixed[o] = L::template fix<V> (row[o], a.load);       /* of a row, all of whose terms have it in common */
          row[o] += f0;
#pragma unroll
          for (int g = 0; g < G; g++)
#pragma unroll
            for (int e = 0; e < V; e++)
              acc[o][g][e] = F::init ();
        }
      int s = 0;
      auto go = [&] (bool all) {        /* S steps, in which all lanes take part */
        auto steps = [&] (int g) { return all ? S : gpr_steps_of<V> (full, rest, g * spread + f0) - s; };
#pragma unroll
        for (int g0 = 0; g0 < G; g0 += H)
          {
            typename L::template terms<V> v[ROWS][S][H];
#pragma unroll
            for (int o = 0; o < ROWS; o++)
#pragma unroll
              for (int k = 0; k < S; k++)
#pragma unroll
                for (int g = 0; g < H; g++)
                  if (k < steps (g0 + g))
                    v[o][k][g] = L::template take<V> (row[o] + k * LANES + (g0 + g) * spread, a.load, fixed[o]);
#pragma unroll
            for (int o = 0; o < ROWS; o++)
              {
                if (G > 2 && all && gpr_plain_products<F, H * V, S> ([&] (int j) -> A & { return acc[o][g0 + j / V][j % V]; },
                                                                      [&] (int j, int k) { return v[o][k][j / V].at (j % V, a.load); }))
                  continue;
                if constexpr (G > 2 && gpr_has_greater<F>)
                  if (all)
                    {
#pragma unroll
                      for (int j = 0; j < H * V; j++)
#pragma unroll
                        for (int k = 0; k < S; k++)
                          acc[o][g0 + j / V][j % V] = fmaxf (acc[o][g0 + j / V][j % V], v[o][k][j / V].at (j % V, a.load));
                      continue;
                    }
#pragma unroll
                for (int g = 0; g < H; g++)
#pragma unroll
                  for (int e = 0; e < V; e++)
                    gpr_batch<F, S> (&acc[o][g0 + g][e], [&] (int k) { return ! L::costs || k < steps (g0 + g) ? v[o][k][g].at (e, a.load) : X (); },
                                     (g0 + g) * spread + f0 + e + s * LANES, LANES, steps (g0 + g));
              }
          }
#pragma unroll
        for (int o = 0; o < ROWS; o++)
          row[o] += S * LANES;
        s += S;
      };
#pragma unroll 1
      while (s + S <= full)
        go (true);
#pragma unroll 1
      while (s < full + (rest > 0))
        go (false);
      if (V > 1 && G <= 2 && rest % V != 0)     /* the row ends within a vector */
#pragma unroll
        for (int o = 0; o < ROWS; o++)
#pragma unroll
          for (int g = 0; g < G; g++)
#pragma unroll
            for (int e = 0; e < V; e++)
              if (gpr_odd_lane<V> (rest, g * spread + f0, e) && i + o * stride < a.units)
                F::step (&acc[o][g][e], gpr_term<L> (row[o] + (full - s) * LANES + g * spread + e, a.load),
                         g * spread + f0 + e + full * LANES);
#pragma unroll
      for (int o = 0; o < ROWS; o++)
        {
          if constexpr (F::leads)
            {
              static_assert (G <= 2, "the first lane is of the same warp");
              const A lead = gpr_from_thread (acc[o][0][0], threadIdx.x & (31 & -group));
#pragma unroll
              for (int g = 0; g < G; g++)
#pragma unroll
                for (int e = 0; e < V; e++)
                  F::lead (&acc[o][g][e], lead);
            }
          gpr_merge_own<F, V, G> (acc[o], group, 1);
          if constexpr (G > 2)
            if (group == 64)            /* the first warp takes what the second has */
              {
                A *lanes = shared + (buffer ^= T * V);
#pragma unroll
                for (int e = 0; e < V; e++)
                  if (me >= 32)
                    lanes[threadIdx.x * V + e] = acc[o][0][e];
                __syncthreads ();
#pragma unroll
                for (int e = 0; e < V; e++)
                  if (me < 32)
                    F::merge (&acc[o][0][e], lanes[(threadIdx.x + 32) * V + e]);
              }
          gpr_merge_group<F, V> (acc[o][0], group < 32 ? group : 32, 1);
          if (me == 0 && i + o * stride < a.units)
            needs_fixup |= gpr_store<F> (a, i + o * stride, acc[o][0][0]);
        }
    }
  return needs_fixup;
}

#endif
