/* GROUP: a part a few neighbouring threads of a warp, which merge by shuffles.  Lanes and columns
   are powers of two.  */

#ifndef GPR_REDUCE_GROUP_CUH
#define GPR_REDUCE_GROUP_CUH

#include "steps.cuh"
#include "ticket.cuh"

/* Units lie one after the other: a block has 256 / threads of them at once.  */
template <class F, class L>
static __device__ __forceinline__ int gpr_group_units (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, V = F::vector, S = F::heavy ? 2 : sizeof (A) > 32 ? 4 : 8;
  const gpr_group_args &own = a.own.group;
  const int columns = a.columns, across = T / own.threads, f0 = (threadIdx.x & (own.threads - 1)) * V;
  const int64_t step = (int64_t) a.lanes * a.row_stride;
  int needs_fixup = 0, units = 0;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * across; first < a.units; first += (int64_t) gridDim.x * across)
    {
      const int64_t i = first + threadIdx.x / own.threads;
      gpr_span<L> r;
      A acc[V];
      gpr_locate (&r, a, i < a.units ? i : first, f0);
      if (i >= a.units)
        r.full = r.rest = 0;
      const int steps = gpr_steps_of<V> (r.full, r.rest, f0);
      typename L::template fixed<V> fixed;
      if (steps > 0)
        fixed = L::template fix<V> (r.x, a.load);
#pragma unroll
      for (int e = 0; e < V; e++)
        acc[e] = F::init ();
#pragma unroll 1
      for (int s = 0; s < steps; s += S)
        {
          typename L::template terms<V> v[S];
#pragma unroll
          for (int k = 0; k < S; k++)
            if (s + k < steps)
              v[k] = L::template take<V> (r.x + (s + k) * step, a.load, fixed);
#pragma unroll
          for (int e = 0; e < V; e++)
            gpr_batch<F, S> (&acc[e], [&] (int k) { return ! L::costs || s + k < steps ? v[k].at (e, a.load) : typename F::X (); },
                             r.row + ((f0 + e) >> a.columns_log2) + (int64_t) s * a.lanes, a.lanes, steps - s);
        }
#pragma unroll
      for (int e = 0; e < V; e++)
        if (gpr_odd_lane<V> (r.rest, f0, e))
          F::step (&acc[e], gpr_term<L> (r.x + r.full * step + e, a.load),
                   r.row + ((f0 + e) >> a.columns_log2) + (int64_t) r.full * a.lanes);
      if constexpr (F::leads)
        {
          static_assert (V == 1, "a lane a thread");
          const A lead = gpr_from_thread (acc[0], (threadIdx.x & (31 & -own.threads)) + (f0 & (columns - 1)));
          if (a.lanes > 1)
            F::lead (&acc[0], lead);
        }
      gpr_merge_group<F, V> (acc, own.threads, columns);
      if (i < a.units && f0 < columns)
        needs_fixup |= gpr_emit_vector<F, V> (a, r.u, f0, columns - f0, acc);
      units += a.units - first < across ? (int) (a.units - first) : across;
    }
  if (F::tickets && a.tickets && gpr_arrive (a, 0, units, T))
    needs_fixup |= gpr_merge_tile<F> (a, 0, 0, shared);
  return needs_fixup;
}

#endif
