/* LANES: parts with any number of lanes, merged in shared memory; every instance has it.  */

#ifndef GPR_REDUCE_LANES_CUH
#define GPR_REDUCE_LANES_CUH

#include <limits.h>

#include "emit.cuh"
#include "merge.cuh"

/* The lanes of the block's units, in shared memory, merge down to the columns.  */
template <class F>
static __device__ __forceinline__ void gpr_merge_lanes (int &needs_fixup, const gpr_reduce_args &a, int64_t first, int unit_lanes, typename F::A *shared)
{
  __syncthreads ();
  if constexpr (F::leads)
    if (a.lanes > 1)
      {
        static_assert (F::width == GPR_REDUCE_THREADS, "a lane a thread");
        const int f = threadIdx.x, i = f / unit_lanes, j = f - i * unit_lanes;
        const bool mine = i < a.own.lanes.units;
        typename F::A lead = F::init ();
        if (mine)
          lead = shared[i * unit_lanes + j % a.columns];
        __syncthreads ();
        if (mine)
          F::lead (&shared[f], lead);
        __syncthreads ();
      }
#pragma unroll 1
  for (int h = 1; h < a.lanes; h *= 2)
    {
      /* Halving: q takes q + pairs.  Doubling, for ordered reductions: 2h*q takes 2h*q + h.  */
      int pairs = F::ordered ? a.lanes / (2 * h) : a.lanes >> __ffs (h);
      int width = pairs * a.columns;
#pragma unroll 1
      for (int f = threadIdx.x; f < a.own.lanes.units * width; f += GPR_REDUCE_THREADS)
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
  for (int f = threadIdx.x; f < a.own.lanes.units * a.columns; f += GPR_REDUCE_THREADS)
    {
      int i = f / a.columns, j = f - i * a.columns;
      if (first + i < a.units)
        {
          gpr_unit u = gpr_unit_at (a, first + i);
          needs_fixup |= gpr_emit<F> (a, u.outer, u.part, u.tile * a.columns + j, shared[i * unit_lanes + j]);
        }
    }
  __syncthreads ();
}

/* A block has F::width lanes in registers, and works on as many units at once as have that many lanes
   together.  A thread has G groups of V neighbouring lanes.  */
template <class F, class L, int V>
static __device__ __forceinline__ int gpr_lanes (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int G = F::width / GPR_REDUCE_THREADS / V;
  constexpr int bytes = G * V * (int) sizeof (X);
  constexpr int most = V == F::vector ? 8 : 4;
  constexpr int S = F::heavy || sizeof (A) > 32 || bytes >= 128 ? 1 : 128 / bytes < most ? 128 / bytes : most;   /* steps in flight */

  const int unit_lanes = a.lanes * a.columns;
  const int lane_rows = F::ordered ? a.rows >> a.lanes_log2 : 1;   /* from a lane's first row to the next lane's */
  const int step_rows = F::ordered ? 1 : a.lanes;
  const int64_t step = step_rows * a.row_stride;
  int needs_fixup = 0;

  int unit[G], q[G][V], c[G];
#pragma unroll
  for (int g = 0; g < G; g++)
    {
      int f = (g * GPR_REDUCE_THREADS + (int) threadIdx.x) * V;
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
  for (int64_t first = (int64_t) blockIdx.x * a.own.lanes.units; first < a.units; first += (int64_t) gridDim.x * a.own.lanes.units)
    {
      A acc[G][V];
      typename L::cursor x[G];
      typename L::template fixed<V> fixed[G];
      int64_t row[G];                   /* first of the part */
      int rows[G], full[G];             /* rows of the part, steps of all V lanes */
      int longest = 0, shortest = INT_MAX;

#pragma unroll
      for (int g = 0; g < G; g++)
        {
#pragma unroll
          for (int e = 0; e < V; e++)
            acc[g][e] = F::init ();
          x[g] = L::begin (a.load);
          row[g] = rows[g] = full[g] = 0;
          if (unit[g] < a.own.lanes.units && first + unit[g] < a.units)
            {
              gpr_unit u = gpr_unit_at (a, first + unit[g]);
              row[g] = (a.first_part + u.part) * a.rows;
              if ((a.first_tile + u.tile) * a.columns + c[g] < a.inner)
                rows[g] = a.length - row[g] < a.rows ? (int) (a.length - row[g]) : a.rows;
              x[g] += u.outer * a.outer_stride + u.tile * a.columns + c[g]
                      + (u.part * a.rows + (int64_t) q[g][0] * lane_rows) * a.row_stride;
              int left = rows[g] - q[g][V-1] * lane_rows;
              if (left > 0)
                full[g] = ! F::ordered ? (left + a.lanes - 1) >> a.lanes_log2 : left < lane_rows ? left : lane_rows;
            }
          if (g > 0 && rows[g] == 0)    /* no lane: the first group's is read again, so that all groups take as many steps */
            {
              x[g] = x[0];
              full[g] = full[0];
            }
          if (full[g] > 0)
            fixed[g] = L::template fix<V> (x[g], a.load);
          longest = full[g] > longest ? full[g] : longest;
          shortest = full[g] < shortest ? full[g] : shortest;
        }

      int s = 0;
#pragma unroll 1
      for (; s + S <= shortest; s += S)
        {
          typename L::template terms<V> v[S][G];
#pragma unroll
          for (int i = 0; i < S; i++)
#pragma unroll
            for (int g = 0; g < G; g++)
              v[i][g] = L::template take<V> (x[g] + (s + i) * step, a.load, fixed[g]);
#pragma unroll
          for (int i = 0; i < S; i++)
#pragma unroll
            for (int g = 0; g < G; g++)
#pragma unroll
              for (int e = 0; e < V; e++)
                F::step (&acc[g][e], v[i][g].at (e, a.load),
                         F::indexed ? row[g] + q[g][e] * lane_rows + (s + i) * step_rows : 0);
        }
#pragma unroll 1
      for (; s < longest; s++)
        {
          typename L::template terms<V> v[G];
#pragma unroll
          for (int g = 0; g < G; g++)
            if (s < full[g])
              v[g] = L::template take<V> (x[g] + s * step, a.load, fixed[g]);
#pragma unroll
          for (int g = 0; g < G; g++)
            if (s < full[g])
#pragma unroll
              for (int e = 0; e < V; e++)
                F::step (&acc[g][e], v[g].at (e, a.load), F::indexed ? row[g] + q[g][e] * lane_rows + s * step_rows : 0);
        }
      /* The last rows reach only some of a group's lanes.  */
#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V - 1; e++)
          {
            int r = q[g][e] + full[g] * a.lanes;
            if (r < rows[g])
              F::step (&acc[g][e], gpr_term<L> (x[g] + full[g] * step + e, a.load), F::indexed ? row[g] + r : 0);
          }

#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V; e++)
          shared[(g * GPR_REDUCE_THREADS + threadIdx.x) * V + e] = acc[g][e];
      gpr_merge_lanes<F> (needs_fixup, a, first, unit_lanes, shared);
    }
  return needs_fixup;
}

#endif
