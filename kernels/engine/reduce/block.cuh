/* BLOCK: a block a unit, or one unit after the other.  Two batches of loads alternate: one is
   on its way from memory while the steps of the other are taken, and the first of the next
   part while the lanes of this one merge.  */

#ifndef GPR_REDUCE_BLOCK_CUH
#define GPR_REDUCE_BLOCK_CUH

#include "steps.cuh"
#include "ticket.cuh"

/* Where all lanes are a block's and the columns few, a warp merges what the eight have: its
   threads hold w's lanes, then the columns.  acc is this thread's, eight the block's.  */
template <class F, int V>
static __device__ __forceinline__ int
gpr_merge_eight_warps (const gpr_reduce_args &a, const gpr_unit &u, const typename F::A *acc, typename F::A *eight)
{
  typedef typename F::A A;
  const int columns = a.columns, f0 = threadIdx.x * V;
#pragma unroll
  for (int e = 0; e < V; e++)
    eight[f0 + e] = acc[e];
  __syncthreads ();
  if (threadIdx.x >= 32)
    return 0;
  A m[V];
#pragma unroll
  for (int e = 0; e < V; e++)
    {
      /* Warps w and w + 4, then + 2, then + 1.  */
      A t[2];
#pragma unroll
      for (int w = 0; w < 2; w++)
        {
          t[w] = eight[w * 32 * V + f0 + e];
          F::merge (&t[w], eight[(w + 4) * 32 * V + f0 + e]);
          A o = eight[(w + 2) * 32 * V + f0 + e];
          F::merge (&o, eight[(w + 6) * 32 * V + f0 + e]);
          F::merge (&t[w], o);
        }
      F::merge (&t[0], t[1]);
      m[e] = t[0];
    }
  gpr_merge_group<F, V> (m, 32, columns);
  return f0 < columns ? gpr_emit_vector<F, V> (a, u, u.tile * columns + f0, columns - f0, m) : 0;
}

/* Any number of lanes and columns, in shared memory, by as many threads as there are merges.  */
template <class F, int V, int G>
static __device__ __forceinline__ int
gpr_merge_in_shared (const gpr_reduce_args &a, const gpr_unit &u, const typename F::A (*acc)[V], int lanes, typename F::A *shared)
{
  constexpr int T = GPR_REDUCE_THREADS;
  const int columns = a.columns, f0 = threadIdx.x * V;
  int needs_fixup = 0;
#pragma unroll
  for (int g = 0; g < G; g++)
#pragma unroll
    for (int e = 0; e < V; e++)
      if (g * T * V + f0 + e < lanes * columns)
        shared[g * T * V + f0 + e] = acc[g][e];
#pragma unroll 1
  for (int h = lanes / 2; h > 0; h /= 2)
    {
      __syncthreads ();
#pragma unroll 1
      for (int f = threadIdx.x; f < h * columns; f += T)
        gpr_merge_at<F> (shared + f, h * columns);
    }
  __syncthreads ();
#pragma unroll 1
  for (int f = threadIdx.x; f < columns; f += T)
    needs_fixup |= gpr_emit<F> (a, u.outer, u.part, u.tile * columns + f, shared[f]);
  __syncthreads ();
  return needs_fixup;
}

/* What a thread reads of a part: lanes f0 … f0 + V - 1 of each of G groups.  Lane f of a part is
   thread f / V mod 256's.  */
template <class F, class L, int V> struct gpr_block_reader
{
  static constexpr int T = GPR_REDUCE_THREADS, G = F::width / T / V, S = gpr_batch_of<F, G * L::template held<V>>::steps;
  typedef typename L::template terms<V> batch[S][G];
  typedef int steps[G];                 /* of each group */
  struct span : gpr_span<L> { typename L::template fixed<V> fixed[G]; };

  const gpr_reduce_args &a;
  const int columns, f0, unit_lanes;
  const int64_t step;
  __device__ __forceinline__ gpr_block_reader (const gpr_reduce_args &args)
    : a (args), columns (args.columns), f0 (threadIdx.x * V), unit_lanes (args.lanes * columns), step ((int64_t) args.lanes * args.row_stride)
  {}

  /* Steps, up to the end of the last tile's columns, which may be narrower; and what is read once for all of them.  */
  __device__ __forceinline__ void begin (steps &n, span &r) const
  {
    const int64_t left = a.out_columns - r.u.tile * columns;
    const int end = left < columns ? (int) left : unit_lanes;
#pragma unroll
    for (int g = 0; g < G; g++)
      {
        n[g] = g * T * V + f0 < end ? gpr_steps_of<V> (r.full, r.rest, g * T * V + f0) : 0;
        if (n[g] > 0)
          r.fixed[g] = L::template fix<V> (r.x + g * T * V, a.load);
      }
  }
  __device__ __forceinline__ void fetch (batch &v, const span &r, const steps &n, int s) const
  {
#pragma unroll
    for (int k = 0; k < S; k++)
#pragma unroll
      for (int g = 0; g < G; g++)
        if (s + k < n[g])
          v[k][g] = L::template take<V> (r.x + (s + k) * step + g * T * V, a.load, r.fixed[g]);
  }
  __device__ __forceinline__ int64_t row_of (const gpr_span<L> &r, int g, int e) const
  {
    return F::indexed ? r.row + ((g * T * V + f0 + e) >> a.columns_log2) : 0;
  }
  __device__ __forceinline__ void work (typename F::A (&acc)[G][V], const batch &v, const gpr_span<L> &r, const steps &n, int s) const
  {
    if (L::costs && s >= n[0])        /* no group has more steps */
      return;
#pragma unroll
    for (int g = 0; g < G; g++)
      {
        if (F::marks && n[g] - s >= S
            && gpr_plain_products<F, V, S> ([&] (int e) -> typename F::A & { return acc[g][e]; }, [&] (int e, int k) { return v[k][g].at (e, a.load); }))
          continue;
#pragma unroll
        for (int e = 0; e < V; e++)
          gpr_batch<F, S> (&acc[g][e], [&] (int k) { return v[k][g].at (e, a.load); }, row_of (r, g, e) + (int64_t) s * a.lanes, a.lanes, n[g] - s);
      }
  }
  /* The last row of a part may end within a vector.  */
  __device__ __forceinline__ void odd_lanes (typename F::A (&acc)[G][V], const gpr_span<L> &r) const
  {
    if (V > 1 && r.rest % V != 0)
#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V; e++)
          if (gpr_odd_lane<V> (r.rest, g * T * V + f0, e))
            F::step (&acc[g][e], gpr_term<L> (r.x + r.full * step + g * T * V + e, a.load),
                     row_of (r, g, e) + (int64_t) r.full * a.lanes);
  }
};

template <class F, class L, int V>
static __device__ __forceinline__ int gpr_block_units (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef gpr_block_reader<F, L, V> reader;
  typedef typename F::A A;
  constexpr int T = reader::T, G = reader::G, S = reader::S;
  constexpr bool doubled = V * sizeof (A) <= 64;        /* two buffers save a barrier */
  const reader in (a);
  const gpr_block_args &own = a.own.block;
  const int columns = a.columns, f0 = in.f0;
  const bool alone = a.tiles * a.outers == 1, binary = gpr_halves (a.lanes, columns, F::width);
  const int lanes = gpr_lanes_left (a.lanes, columns, F::width, V);
  const int writers = columns <= (binary ? 32 * V : 32) ? 32 : T;
  int needs_fixup = 0, units = 0, buffer = 0;
  typename reader::steps steps, steps_ahead;
  typename reader::span r = {}, ahead;
  typename reader::batch v, w;
  A acc[G][V];

  int64_t i = blockIdx.x;               /* there are no more blocks than units */
  gpr_locate (&r, a, i, f0, own.run);
  in.begin (steps, r);
  in.fetch (v, r, steps, 0);
#pragma unroll 1
  for (; i < a.units; i = r.last ? i + gridDim.x : i, r = ahead)
    {
      const int64_t next = r.last ? i + gridDim.x : i;
#pragma unroll
      for (int g = 0; g < G; g++)
#pragma unroll
        for (int e = 0; e < V; e++)
          acc[g][e] = F::init ();
      if (next < a.units)
        {
          gpr_locate (&ahead, a, next, f0, own.run, r.last ? 0 : r.part + 1);
          in.begin (steps_ahead, ahead);
        }
      else
        {
          ahead = r;
#pragma unroll
          for (int g = 0; g < G; g++)
            steps_ahead[g] = 0;
        }
      const int most = r.full + (r.rest > 0);
#pragma unroll 1
      for (int s = 0;; s += 2 * S)
        {
          in.fetch (w, r, steps, s + S);
          in.work (acc, v, r, steps, s);
          if (s + 2 * S < most)
            in.fetch (v, r, steps, s + 2 * S);
          else
            in.fetch (v, ahead, steps_ahead, 0);
          in.work (acc, w, r, steps, s + S);
          if (s + 2 * S >= most)
            break;
        }
#pragma unroll
      for (int g = 0; g < G; g++)
        steps[g] = steps_ahead[g];
      in.odd_lanes (acc, r);

      if (binary)
        gpr_merge_own<F, V, G> (acc, T, columns);
      if (F::merges ? F::merges == GPR_MERGES_RUNS : lanes == 1)
        {
          gpr_merge_stack<F, G * V> (acc[0], r.part, r.last, shared);
          if (! r.last)
            continue;
#pragma unroll
          for (int g = 0; g < G; g++)
            if (g * T * V + f0 < columns)
              needs_fixup |= gpr_emit_vector<F, V> (a, r.u, r.u.tile * columns + g * T * V + f0, V, acc[g]);
        }
      else if (F::merges ? F::merges == GPR_MERGES_WARPS : binary && columns <= 32 * V)
        {
          needs_fixup |= gpr_merge_eight_warps<F, V> (a, r.u, acc[0], shared + (doubled ? buffer : 0) * T * V);
          if (doubled)
            buffer ^= 1;
          else
            __syncthreads ();
        }
      else
        needs_fixup |= gpr_merge_in_shared<F, V, G> (a, r.u, acc, lanes, shared);

      units++;
      if (F::tickets && a.tickets && ! alone && gpr_arrive (a, r.u.outer * a.tiles + r.u.tile, 1, T))
        needs_fixup |= gpr_merge_tile<F> (a, r.u.outer, r.u.tile, shared);
    }
  if (F::tickets && a.tickets && alone && gpr_arrive (a, 0, units, writers))
    needs_fixup |= gpr_merge_tile<F> (a, 0, 0, shared);
  return needs_fixup;
}

#endif
