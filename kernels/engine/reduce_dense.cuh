/* The kernel for what is long or dense: a block a unit, whose rows lie one after the other;
   neighbouring threads a unit, if its lanes and columns are powers of two; a thread an
   output; and, for reductions that give the same in any order, rows read pack by pack.  */

#ifndef GPR_REDUCE_DENSE_CUH
#define GPR_REDUCE_DENSE_CUH

#include "reduce.cuh"

template <class T, int V>
static __device__ __forceinline__ void gpr_write (T *to, const T *from)
{
  constexpr int W = sizeof (T) > 8 || V * sizeof (T) % 16 ? 1 : 16 / sizeof (T);
  if constexpr (W > 1)
    if ((uintptr_t) to % 16 == 0)
      {
#pragma unroll
        for (int e = 0; e < V; e += W)
          {
            gpr_pack<T, W, false> p;
#pragma unroll
            for (int k = 0; k < W; k++)
              p.v[k] = from[e + k];
            *(gpr_pack<T, W, false> *) (to + e) = p;
          }
        return;
      }
#pragma unroll
  for (int e = 0; e < V; e++)
    to[e] = from[e];
}

/* Neighbouring accumulators of a thread, from this column of the box on.  */
template <class F, int V>
static __device__ __forceinline__ int
gpr_emit_pack (const gpr_reduce_args &a, const gpr_unit &u, int64_t column, int count, const typename F::A *acc)
{
  typedef typename F::Y Y;
  int needs_fixup = 0;
  if (V > 1 && count >= V && column + V <= a.out_columns)
    {
      if (a.all_parts > 1)
        gpr_write<typename F::A, V> ((typename F::A *) a.partials
                                     + (u.outer * a.all_parts + a.first_part + u.part) * a.out_stride + column, acc);
      else if (! F::indexed)
        {
          Y y[V];
          int64_t k;
#pragma unroll
          for (int e = 0; e < V; e++)
            needs_fixup |= F::finish (acc[e], a.out.divisor, &y[e], &k);
          gpr_write<Y, V> ((Y *) a.out.value + u.outer * a.out_stride + column, y);
        }
      if (a.all_parts > 1 || ! F::indexed)
        return needs_fixup;
    }
#pragma unroll
  for (int e = 0; e < V; e++)
    if (e < count)
      needs_fixup |= gpr_emit<F> (a, u.outer, u.part, column + e, acc[e]);
  return needs_fixup;
}

/* Steps of a batch, where the loads of one take so many bytes of a thread.  */
template <class F, int BYTES> struct gpr_batch_of
{
  static constexpr int most = F::heavy ? 2 : GPR_BATCH_STEPS, fit = GPR_BATCH_BYTES / BYTES;
  static constexpr int steps = fit < 1 ? 1 : fit < most ? fit : most;
};

/* ---- a block a unit -------------------------------------------------------------- */

/* A part of a unit on its way: where a thread's first lane lies, and how far it goes.  */
template <class X> struct gpr_range
{
  gpr_unit u;
  const X *x;
  int64_t row;                  /* first of the part */
  int full, rest;               /* steps of all lanes; lanes of one more */
  int part;                     /* of the unit */
  bool last;                    /* it is the unit's last */
};

template <class X>
static __device__ __forceinline__ void gpr_locate (gpr_range<X> *r, const gpr_reduce_args &a, int64_t i, int f0, int p = 0)
{
  r->u = gpr_unit_at (a, i);
  const int64_t part = r->u.part * a.run + p;
  r->row = (a.first_part + part) * a.rows;
  r->part = p;
  r->last = p + 1 == a.run || a.length - r->row <= a.rows;
  const int rows = a.length - r->row < a.rows ? (int) (a.length - r->row) : a.rows;
  r->full = rows >> a.lanes_log2;
  r->rest = (rows & (a.lanes - 1)) * a.columns;
  r->x = (const X *) a.x + r->u.outer * a.outer_stride + r->u.tile * a.columns + part * a.rows * a.row_stride + f0;
}

/* Part p of a unit of several, merged with those before it as the tree over parts has it:
   count accumulators of this thread.  trees: of 1, 2, 4 … parts, in shared memory; in local
   memory they would be written out as they are in partials.  */
template <class F, int COUNT>
static __device__ __forceinline__ void gpr_merge_stack (typename F::A *acc, int p, bool last, typename F::A *trees)
{
  auto at = [&] (int level, int e) { return trees + (level * COUNT + e) * GPR_REDUCE_THREADS + threadIdx.x; };
  int level = 0;
#pragma unroll 1
  for (; last ? p >> level : p >> level & 1; level++)
    if (p >> level & 1)
#pragma unroll
      for (int e = 0; e < COUNT; e++)
        {
          typename F::A t = *at (level, e);
          F::merge (&t, acc[e]);
          acc[e] = t;
        }
  if (! last)
#pragma unroll
    for (int e = 0; e < COUNT; e++)
      *at (level, e) = acc[e];
}

/* Lane f of a part is thread f / V mod 256's.  A batch of steps is on its way from
   memory while the one before is worked on, and the next part's first while a part's
   lanes merge.  */
template <class F, bool PRODUCTS, int V>
static __device__ __forceinline__ int gpr_block_units (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, G = F::width / T / V;
  constexpr int load = V * (int) sizeof (X) < 4 ? 4 : V * (int) sizeof (X);     /* as registers are */
  constexpr int S = gpr_batch_of<F, G * load * (PRODUCTS ? 2 : 1)>::steps;
  constexpr bool doubled = V * sizeof (A) <= 64;        /* two buffers save a barrier */
  typedef gpr_terms<X, V, PRODUCTS> batch[S][G];

  const int columns = a.columns, f0 = threadIdx.x * V;
  const int64_t step = (int64_t) a.lanes * a.row_stride;
  const bool alone = a.tiles * a.outers == 1;
  const int unit_lanes = a.lanes * columns;
  const bool binary = gpr_halves (a.lanes, columns, F::width);
  const int lanes = gpr_lanes_left (a.lanes, columns, F::width, V);
  const int writers = columns <= (binary ? 32 * V : 32) ? 32 : T;
  int needs_fixup = 0, units = 0, buffer = 0, steps[G], steps_ahead[G];
  gpr_range<X> r = {}, ahead;
  batch v, w;
  A acc[G][V];

  /* Steps of this thread's lanes, up to the end of the last tile's columns, which may be narrower.  */
  auto count = [&] (int (&steps)[G], const gpr_range<X> &r)
  {
    const int64_t left = a.out_columns - r.u.tile * columns;
    const int end = left < columns ? (int) left : unit_lanes;
#pragma unroll
    for (int g = 0; g < G; g++)
      steps[g] = g * T * V + f0 < end ? gpr_steps_of<V> (r.full, r.rest, g * T * V + f0) : 0;
  };
  auto fetch = [&] (batch &v, const gpr_range<X> &r, const int (&steps)[G], int s)
  {
#pragma unroll
    for (int k = 0; k < S; k++)
#pragma unroll
      for (int g = 0; g < G; g++)
        if (s + k < steps[g])
          v[k][g] = gpr_take<X, V, PRODUCTS> (r.x + (s + k) * step + g * T * V, a.second);
  };
  auto row_of = [&] (int g, int e) { return F::indexed ? r.row + ((g * T * V + f0 + e) >> a.columns_log2) : 0; };
  auto work = [&] (const batch &v, int s)
  {
#pragma unroll
    for (int g = 0; g < G; g++)
#pragma unroll
      for (int e = 0; e < V; e++)
        gpr_batch<F, S> (&acc[g][e], [&] (int k) { return v[k][g].at (e); }, row_of (g, e) + (int64_t) s * a.lanes, a.lanes, steps[g] - s);
  };

  int64_t i = blockIdx.x;               /* there are no more blocks than units */
  gpr_locate (&r, a, i, f0);
  count (steps, r);
  fetch (v, r, steps, 0);
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
          gpr_locate (&ahead, a, next, f0, r.last ? 0 : r.part + 1);
          count (steps_ahead, ahead);
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
          fetch (w, r, steps, s + S);
          work (v, s);
          if (s + 2 * S < most)
            fetch (v, r, steps, s + 2 * S);
          else
            fetch (v, ahead, steps_ahead, 0);
          work (w, s + S);
          if (s + 2 * S >= most)
            break;
        }
#pragma unroll
      for (int g = 0; g < G; g++)
        steps[g] = steps_ahead[g];
      if (V > 1 && r.rest % V != 0)     /* of no whole pack */
#pragma unroll
        for (int g = 0; g < G; g++)
#pragma unroll
          for (int e = 0; e < V; e++)
            if (gpr_odd_lane<V> (r.rest, g * T * V + f0, e))
              F::step (&acc[g][e], gpr_take<X, 1, PRODUCTS> (r.x + r.full * step + g * T * V + e, a.second).at (0),
                       row_of (g, e) + (int64_t) r.full * a.lanes);

      const int64_t tile_column = r.u.tile * columns;
      if (binary)
        gpr_merge_own<F, V, G> (acc, T, columns);
      if (lanes == 1)
        {
          gpr_merge_stack<F, G * V> (acc[0], r.part, r.last, shared);
          if (! r.last)
            continue;
#pragma unroll
          for (int g = 0; g < G; g++)
            if (g * T * V + f0 < columns)
              needs_fixup |= gpr_emit_pack<F, V> (a, r.u, tile_column + g * T * V + f0, V, acc[g]);
        }
      else if (binary && columns <= 32 * V)
        {
          /* What eight warps hold, in one of them while the others go on; then within it.  */
          A *s8 = shared + (doubled ? buffer : 0) * T * V;
#pragma unroll
          for (int e = 0; e < V; e++)
            s8[f0 + e] = acc[0][e];
          __syncthreads ();
          if (threadIdx.x < 32)
            {
              A m[V];
#pragma unroll
              for (int e = 0; e < V; e++)
                {
                  /* w and w + 4, then + 2, then + 1  */
                  A t[2];
#pragma unroll
                  for (int w = 0; w < 2; w++)
                    {
                      t[w] = s8[w * 32 * V + f0 + e];
                      F::merge (&t[w], s8[(w + 4) * 32 * V + f0 + e]);
                      A o = s8[(w + 2) * 32 * V + f0 + e];
                      F::merge (&o, s8[(w + 6) * 32 * V + f0 + e]);
                      F::merge (&t[w], o);
                    }
                  F::merge (&t[0], t[1]);
                  m[e] = t[0];
                }
              gpr_merge_group<F, V> (m, 32, columns);
              if (f0 < columns)
                needs_fixup |= gpr_emit_pack<F, V> (a, r.u, tile_column + f0, columns - f0, m);
            }
          if (doubled)
            buffer ^= 1;
          else
            __syncthreads ();
        }
      else
        {
          /* By as many threads as there are merges.  */
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
            needs_fixup |= gpr_emit<F> (a, r.u.outer, r.u.part, tile_column + f, shared[f]);
          __syncthreads ();
        }

      units++;
      if (a.tickets && ! alone && gpr_arrive (a, r.u.outer * a.tiles + r.u.tile, 1, T))
        needs_fixup |= gpr_merge_tile<F> (a, r.u.outer, r.u.tile, shared);
    }
  if (a.tickets && alone && gpr_arrive (a, 0, units, writers))
    needs_fixup |= gpr_merge_tile<F> (a, 0, 0, shared);
  return needs_fixup;
}

/* ---- a block a unit, wide accumulators -------------------------------------------- */

/* Warps of a block that wait for a count and raise it; what was written before a count is
   raised is seen by who waited for it.  */
static __device__ __forceinline__ void gpr_wait_for (const volatile unsigned *count, unsigned least)
{
  while ((int) (*count - least) < 0)
    __nanosleep (100);
  __threadfence_block ();
  __syncwarp ();
}
static __device__ __forceinline__ void gpr_tell (unsigned *count)
{
  __syncwarp ();
  if (threadIdx.x % 32 == 0)
    {
      __threadfence_block ();
      atomicAdd (count, 1);
    }
  __syncwarp ();
}

/* Accumulators of a block's lanes on their way to the warp that merges them, which is one
   of its own, after those of the lanes.  */
template <class F> struct gpr_merge_queue
{
  static constexpr int WARPS = GPR_REDUCE_THREADS / 32, buffers = sizeof (typename F::A) <= 40 ? 2 : 1;
  typename F::A acc[buffers][GPR_REDUCE_THREADS], parts[GPR_TICKET_PARTS];
  unsigned written[buffers], merged[buffers];   /* warps that have put, and units whose merging is over, so far */
};

/* A warp merges count accumulators of each of columns, in shared memory, down to the first of
   each: lanes by halving, count a power of two, or neighbours, pairwise.  All merges of the warp
   are in this one place, which its instruction cache keeps: in three places, gpu_stats took
   15 us more; called by the other warps too, 140 us, since those keep fewer registers.  */
template <class F>
static __device__ __noinline__ void gpr_merge_by_warp (typename F::A *acc, int count, int columns, bool neighbours)
{
  const int me = threadIdx.x % 32;
  int left = count;             /* accumulators of a column */
#pragma unroll 1
  for (int h = 1; left > 1; h *= 2)
    {
      const int merges = left / 2, distance = neighbours ? h : merges;
#pragma unroll 1
      for (int f = me; f < merges * columns; f += 32)
        {
          typename F::A *at = acc + (neighbours && columns > 1 ? f / columns * 2 * h * columns + f % columns : neighbours ? f * 2 * h : f);
          typename F::A t = *at;
          F::merge_here (&t, at[distance * columns]);
          *at = t;
        }
      left -= merges;
      __syncwarp ();
    }
}

/* A warp has written one of so many results.  True where it was the last.  */
static __device__ __forceinline__ bool gpr_warp_arrives (unsigned *ticket, unsigned count)
{
  unsigned before = 0;
  __threadfence ();
  __syncwarp ();
  if (threadIdx.x % 32 == 0)
    {
      before = atomicAdd (ticket, 1);
      if (before + 1 == count)
        *ticket = 0;
    }
  const bool last = __shfl_sync (0xffffffffu, before, 0) + 1 == count;
  if (last)
    __threadfence ();
  __syncwarp ();
  return last;
}

/* A part is written.  Who writes the last of a.group neighbours merges them, into the place of
   the first; who merges the last of those merges all.  */
template <class F>
static __device__ __forceinline__ int gpr_pass_on (const gpr_reduce_args &a, const gpr_unit &u, typename F::A *parts)
{
  typedef typename F::A A;
  const int columns = a.columns, size = a.group, groups = ((int) a.all_parts + size - 1) / size;
  const int64_t column = u.tile * columns;
  const int me = threadIdx.x % 32;
  unsigned *tickets = a.tickets + (u.outer * a.tiles + u.tile) * (groups + 1);
  A *p = (A *) a.partials + u.outer * a.all_parts * a.out_stride + column;
  int64_t first = (int) u.part / size * size, stride = a.out_stride;
  int count = (int) min ((long long) size, (long long) (a.all_parts - first));

  unsigned *ticket = tickets + (int) u.part / size;
#pragma unroll 1
  for (bool top = groups == 1;; top = true)
    {
      if (! gpr_warp_arrives (ticket, count))
        return 0;
#pragma unroll 1
      for (int f = me; f < count * columns; f += 32)
        parts[f] = p[(first + (f >> a.columns_log2)) * stride + (f & (columns - 1))];
      __syncwarp ();
      gpr_merge_by_warp<F> (parts, count, columns, true);
      if (top)
        break;
      if (me < columns)
        p[first * stride + me] = parts[me];
      ticket = tickets + groups;
      first = 0;
      count = groups;
      stride *= size;
    }
  return me < columns ? gpr_store<F> (a.out, u.outer * a.out_stride + column + me, parts[me]) : 0;
}

/* What a block's merging warp does.  */
template <class F>
static __device__ __forceinline__ int gpr_merge_units (const gpr_reduce_args &a, gpr_merge_queue<F> &shared)
{
  typedef gpr_merge_queue<F> merge_warp_used;
  const int columns = a.columns;
  int needs_fixup = 0, units = 0;

#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x, units++)
    {
      const int b = units % merge_warp_used::buffers, round = units / merge_warp_used::buffers;
      const gpr_unit u = gpr_unit_at (a, i);
      gpr_wait_for (&shared.written[b], (round + 1) * merge_warp_used::WARPS);
      gpr_merge_by_warp<F> (shared.acc[b], a.lanes, columns, false);
#pragma unroll 1
      for (int f = threadIdx.x % 32; f < columns; f += 32)
        needs_fixup |= gpr_emit<F> (a, u.outer, u.part, u.tile * columns + f, shared.acc[b][f]);
      gpr_tell (&shared.merged[b]);
      if (a.tickets)
        needs_fixup |= gpr_pass_on<F> (a, u, shared.parts);
    }
  return needs_fixup;
}

/* A thread has one lane.  */
template <class F>
static __device__ __forceinline__ int gpr_units_with_merge_warp (const gpr_reduce_args &a, gpr_merge_queue<F> &shared)
{
  typedef gpr_merge_queue<F> merge_warp_used;
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, S = gpr_batch_of<F, sizeof (X)>::steps;
  const int columns = a.columns, me = threadIdx.x;
  const int64_t step = (int64_t) a.lanes * a.row_stride;
  int needs_fixup = 0, units = 0;

  if (me < merge_warp_used::buffers)
    shared.written[me] = shared.merged[me] = 0;
  __syncthreads ();
  if (me >= T)
    return columns < T ? gpr_merge_units<F> (a, shared) : 0;

  /* The last tile of columns may be narrower.  */
  auto locate = [&] (gpr_range<X> *r, int64_t i)
  {
    gpr_locate (r, a, i, me);
    if (r->u.tile * columns + (me & (columns - 1)) >= a.out_columns)
      r->full = r->rest = 0;
    r->full = gpr_steps_of<1> (r->full, r->rest, me);
  };
  auto fetch = [&] (X *v, const X *&x, int left)
  {
#pragma unroll
    for (int k = 0; k < S; k++, x += step)
      if (k < left)
        v[k] = *x;
  };
  X v[S], w[S];
  gpr_range<X> r;
  locate (&r, blockIdx.x);              /* there are no more blocks than units */
  const X *x = r.x;
  int full = r.full;
  fetch (v, x, full);
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x, units++)
    {
      A acc = F::init ();
      int64_t row = 0;
      if (F::indexed)
        {
          locate (&r, i);
          row = r.row + (me >> a.columns_log2);
        }
      const int steps = full;           /* of this unit; full becomes the next one's */
      auto work = [&] (const X *v, int s)
      {
        gpr_batch<F, S> (&acc, [&] (int k) { return v[k]; }, row + (int64_t) s * a.lanes, a.lanes, steps - s);
      };
      int s = 0;
#pragma unroll 1
      for (; s + 2 * S < steps; s += 2 * S)
        {
          fetch (w, x, steps - s - S);
          work (v, s);
          fetch (v, x, steps - s - 2 * S);
          work (w, s + S);
        }
      /* The last two, and the first of the next unit.  */
      fetch (w, x, steps - s - S);
      work (v, s);
      full = 0;
      if (i + gridDim.x < a.units)
        {
          locate (&r, i + gridDim.x);
          x = r.x;
          full = r.full;
          fetch (v, x, full);
        }
      work (w, s + S);
      if (columns >= T)
        {
          locate (&r, i);
          needs_fixup |= gpr_emit<F> (a, r.u.outer, r.u.part, r.u.tile * columns + me, acc);
          continue;
        }
      const int b = units % merge_warp_used::buffers, round = units / merge_warp_used::buffers;
      gpr_wait_for (&shared.merged[b], round);
      shared.acc[b][me] = acc;
      gpr_tell (&shared.written[b]);
    }
  return needs_fixup;
}

/* ---- some threads of a warp a unit --------------------------------------------------- */

template <class F, bool PRODUCTS>
static __device__ __forceinline__ int gpr_group_units (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  constexpr int T = GPR_REDUCE_THREADS, V = F::vector, S = F::heavy ? 2 : sizeof (A) > 32 ? 4 : 8;
  const int columns = a.columns, across = T / a.group, f0 = (threadIdx.x & (a.group - 1)) * V;
  const int64_t step = (int64_t) a.lanes * a.row_stride;
  int needs_fixup = 0, units = 0;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * across; first < a.units; first += (int64_t) gridDim.x * across)
    {
      const int64_t i = first + threadIdx.x / a.group;
      gpr_range<X> r;
      A acc[V];
      gpr_locate (&r, a, i < a.units ? i : first, f0);
      if (i >= a.units)
        r.full = r.rest = 0;
      const int steps = gpr_steps_of<V> (r.full, r.rest, f0);
#pragma unroll
      for (int e = 0; e < V; e++)
        acc[e] = F::init ();
#pragma unroll 1
      for (int s = 0; s < steps; s += S)
        {
          gpr_terms<X, V, PRODUCTS> v[S];
#pragma unroll
          for (int k = 0; k < S; k++)
            if (s + k < steps)
              v[k] = gpr_take<X, V, PRODUCTS> (r.x + (s + k) * step, a.second);
#pragma unroll
          for (int e = 0; e < V; e++)
            gpr_batch<F, S> (&acc[e], [&] (int k) { return v[k].at (e); },
                             r.row + ((f0 + e) >> a.columns_log2) + (int64_t) s * a.lanes, a.lanes, steps - s);
        }
#pragma unroll
      for (int e = 0; e < V; e++)
        if (gpr_odd_lane<V> (r.rest, f0, e))
          F::step (&acc[e], gpr_take<X, 1, PRODUCTS> (r.x + r.full * step + e, a.second).at (0),
                   r.row + ((f0 + e) >> a.columns_log2) + (int64_t) r.full * a.lanes);
      gpr_merge_group<F, V> (acc, a.group, columns);
      if (i < a.units && f0 < columns)
        needs_fixup |= gpr_emit_pack<F, V> (a, r.u, f0, columns - f0, acc);
      units += a.units - first < across ? (int) (a.units - first) : across;
    }
  if (a.tickets && gpr_arrive (a, 0, units, T))
    needs_fixup |= gpr_merge_tile<F> (a, 0, 0, shared);
  return needs_fixup;
}

/* ---- a thread an output --------------------------------------------------------------- */

/* Rows of up to 8, in packs of V; a thread has R outputs on their way, its block neighbouring ones.
   No mailbox's code in what is unrolled: that is of a single unit.  */
template <class F, bool PRODUCTS, int V>
static __device__ __forceinline__ int gpr_thread_units (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef typename F::Y Y;
  static_assert (! F::indexed, "no places here");
  constexpr int T = GPR_REDUCE_THREADS, S = V == 1 ? 8 : 8 / V > 4 ? 4 : 8 / V > 0 ? 8 / V : 1;
  constexpr int bytes = S * V * (int) sizeof (X) * (PRODUCTS ? 2 : 1), fit = bytes < 32 ? GPR_THREAD_FEW : GPR_THREAD_BYTES / (sizeof (typename F::A) > 16 ? 2 : 1) / bytes;
  constexpr int R = fit < 1 ? 1 : fit < GPR_THREAD_OUTPUTS ? fit : GPR_THREAD_OUTPUTS;
  const int n = (int) a.length, packs = n / V;
  int needs_fixup = 0;

  /* A block has so many times T neighbouring rows.  */
  const int each = (int) ((a.units + (int64_t) gridDim.x * T - 1) / ((int64_t) gridDim.x * T));
  int64_t o = (int64_t) blockIdx.x * each * T + threadIdx.x;
  const X *x = (const X *) a.x + o * n;

#pragma unroll 1
  for (int q = 0; q < each; q += R, o += R * T, x += R * T * n)
    {
      gpr_terms<X, V, PRODUCTS> v[R][S];
      auto here = [&] (int r) { return q + r < each && o + r * T < a.units; };
#pragma unroll
      for (int r = 0; r < R; r++)
        if (here (r))
#pragma unroll
          for (int k = 0; k < S; k++)
            if (k < packs)
              v[r][k] = gpr_take<X, V, PRODUCTS> (x + r * T * n + k * V, a.second);
#pragma unroll
      for (int r = 0; r < R; r++)
        if (here (r))
          {
            typename F::A acc = F::init ();
#pragma unroll
            for (int k = 0; k < S; k++)
              if (k < packs)
#pragma unroll
                for (int e = 0; e < V; e++)
                  F::step (&acc, v[r][k].at (e), k * V + e);
            if (a.out.mailbox)
              {
                needs_fixup |= gpr_store<F> (a.out, 0, acc);
                continue;
              }
            Y y;
            int64_t none;
            needs_fixup |= F::finish (acc, a.out.divisor, &y, &none);
            ((Y *) a.out.value)[o + r * T] = y;
          }
    }
  return needs_fixup;
}

/* ---- exact reductions of long rows ---------------------------------------------------------- */

/* Packs of 16 bytes.  */
template <class X> using gpr_bunch = gpr_pack<X, 16 / (int) sizeof (X)>;

/* The largest or smallest of packs.  NaN is skipped; the sign of a zero is any of theirs.  */
template <class X, bool MAXIMUM, int BYTES = (X (0.5) == X (0) ? sizeof (X) : 8)> struct gpr_best
{
  X b;
  static __device__ __forceinline__ bool better (X x, X y) { return MAXIMUM ? x > y : x < y; }
  static __device__ __forceinline__ X worst ()
  {
    if constexpr (X (0.5) != X (0))
      return MAXIMUM ? -HUGE_VAL : HUGE_VAL;
    else
      {
        constexpr unsigned long long ones = ~0ull >> (64 - 8 * sizeof (X));
        constexpr X top = X (-1) < X (0) ? X (ones >> 1) : X (ones);
        return MAXIMUM ? X (~top) : top;
      }
  }
  __device__ __forceinline__ void init () { b = worst (); }
  __device__ __forceinline__ void take (const gpr_bunch<X> &p)
  {
#pragma unroll
    for (int e = 0; e < 16 / (int) sizeof (X); e++)
      b = better (p.at (e), b) ? p.at (e) : b;
  }
  __device__ __forceinline__ X value () const { return b; }
};

/* Two numbers of 2 bytes at once.  */
template <bool IS_SIGNED, bool MAXIMUM> static __device__ __forceinline__ unsigned gpr_best_pairs (unsigned a, unsigned b)
{
  if (IS_SIGNED)
    return MAXIMUM ? __vmaxs2 (a, b) : __vmins2 (a, b);
  return MAXIMUM ? __vmaxu2 (a, b) : __vminu2 (a, b);
}
template <class X, bool MAXIMUM> struct gpr_best<X, MAXIMUM, 2> : gpr_best<X, MAXIMUM, 8>
{
  typedef gpr_best<X, MAXIMUM, 8> plain;
  static constexpr bool is_signed = X (-1) < X (0);
  unsigned pair;
  __device__ __forceinline__ void init () { pair = (unsigned) (uint16_t) plain::worst () * 0x10001u; }
  __device__ __forceinline__ void take (const gpr_bunch<X> &p)
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      pair = gpr_best_pairs<is_signed, MAXIMUM> (pair, p.w[i]);
  }
  __device__ __forceinline__ X value () const
  {
    X x = X (pair), y = X (pair >> 16);
    return plain::better (y, x) ? y : x;
  }
};
/* Of single bytes: as the upper halves of such pairs, the odd ones as they lie, the even
   ones moved up; what is in the lower halves decides ties alone.  */
template <class X, bool MAXIMUM> struct gpr_best<X, MAXIMUM, 1> : gpr_best<X, MAXIMUM, 8>
{
  typedef gpr_best<X, MAXIMUM, 8> plain;
  static constexpr bool is_signed = X (-1) < X (0);
  unsigned odd, even;
  __device__ __forceinline__ void init ()
  {
    odd = even = (unsigned) (uint8_t) plain::worst () * 0x1000100u + (MAXIMUM ? 0 : 0xff00ffu);
  }
  __device__ __forceinline__ void take (const gpr_bunch<X> &p)
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        odd = gpr_best_pairs<is_signed, MAXIMUM> (odd, p.w[i]);
        even = gpr_best_pairs<is_signed, MAXIMUM> (even, p.w[i] << 8);
      }
  }
  __device__ __forceinline__ X value () const
  {
    const unsigned both = gpr_best_pairs<is_signed, MAXIMUM> (odd, even);
    X x = X (both >> 8), y = X (both >> 24);
    return plain::better (y, x) ? y : x;
  }
};

/* What a thread of the stream keeps.  */
template <class F, int KIND> struct gpr_keeper                  /* of any reduction */
{
  typename F::A a;
  __device__ __forceinline__ void init () { a = F::init (); }
  __device__ __forceinline__ void take (const gpr_bunch<typename F::X> &p, int64_t at)
  {
#pragma unroll
    for (int e = 0; e < 16 / (int) sizeof (typename F::X); e++)
      F::step (&a, p.at (e), at + e);
  }
  __device__ __forceinline__ void end_of_tile () {}
  __device__ __forceinline__ typename F::A value () const { return a; }
};
template <class F> struct gpr_keeper<F, 1>                      /* of sums of 1 and 2 bytes: 32 bits a tile */
{
  typename F::A a;
  int small;
  __device__ __forceinline__ void init () { a = F::init (); small = 0; }
  __device__ __forceinline__ void take (const gpr_bunch<typename F::X> &p, int64_t)
  {
    constexpr bool is_signed = typename F::X (-1) < typename F::X (0);
#pragma unroll
    for (int i = 0; i < 4; i++)
      {
        const unsigned w = p.w[i];
        if (sizeof (typename F::X) == 1)
          small = is_signed ? __dp4a ((int) w, 0x01010101, small) : (int) __dp4a (w, 0x01010101u, (unsigned) small);
        else
          small += is_signed ? (int) (short) w + ((int) w >> 16) : (int) ((w & 0xffff) + (w >> 16));
      }
  }
  __device__ __forceinline__ void end_of_tile () { a += small; small = 0; }
  __device__ __forceinline__ typename F::A value () const { return a; }
};
template <class F> struct gpr_keeper<F, 2>                      /* of the largest or smallest */
{
  gpr_best<typename F::X, (F::traits & GPR_PREFERS_GREATER) != 0> b;
  __device__ __forceinline__ void init () { b.init (); }
  __device__ __forceinline__ void take (const gpr_bunch<typename F::X> &p, int64_t) { b.take (p); }
  __device__ __forceinline__ void end_of_tile () {}
  __device__ __forceinline__ typename F::A value () const { return b.value (); }
};

/* Packs of an output that starts anywhere: the elements before the first whole one
   and after the last are the last piece's.  */
template <class X> struct gpr_row
{
  static constexpr int V = 16 / sizeof (X), LOADS = sizeof (X) <= 2 ? GPR_TILE_PACKS_SMALL : GPR_TILE_PACKS, TILE = LOADS * GPR_REDUCE_THREADS;      /* packs */
  const X *x;
  const gpr_bunch<X> *packs;
  int64_t n, whole;
  int head;
  __device__ __forceinline__ gpr_row (const X *from, int64_t count)
  {
    x = from;
    n = count;
    head = (int) ((16 - (uintptr_t) x % 16) % 16 / sizeof (X));
    if (head > n)
      head = (int) n;
    packs = (const gpr_bunch<X> *) (x + head);
    whole = (n - head) / V;
  }
  typedef gpr_bunch<X> tile[LOADS];
  /* This thread's k-th pack of a tile.  */
  __device__ __forceinline__ int64_t pack (int64_t tile, int k) const { return tile * TILE + k * GPR_REDUCE_THREADS + threadIdx.x; }
  __device__ __forceinline__ void load (tile &v, int64_t t) const
  {
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      v[k] = packs[pack (t, k)];
  }
  /* The whole tiles from first on, every stride-th; the next one is on its way meanwhile.  */
  template <class Work> __device__ __forceinline__ void each_tile (int64_t first, int64_t stride, Work work) const
  {
    const int64_t tiles = whole / TILE;
    tile v, w;
    if constexpr (sizeof (X) <= 2)      /* more warps do better: a tile at a time */
      {
#pragma unroll 1
        for (int64_t t = first; t < tiles; t += stride)
          {
            load (v, t);
            work (v, t);
          }
        return;
      }
    if (first < tiles)
      load (v, first);
#pragma unroll 1
    for (int64_t t = first; t < tiles; t += 2 * stride)
      {
        if (t + stride < tiles)
          load (w, t + stride);
        work (v, t);
        if (t + 2 * stride < tiles)
          load (v, t + 2 * stride);
        if (t + stride < tiles)
          work (w, t + stride);
      }
  }
  __device__ __forceinline__ int64_t index (int64_t tile, int k) const { return head + pack (tile, k) * V; }
  /* What no whole tile covers; on its own, since places must come in order.  */
  template <class F> __device__ __forceinline__ typename F::A rest () const
  {
    const int64_t tail = head + whole * V;
    typename F::A a = F::init ();
    if ((int) threadIdx.x < head)
      F::step (&a, x[threadIdx.x], threadIdx.x);
#pragma unroll 1
    for (int64_t p = whole / TILE * TILE + threadIdx.x; p < whole; p += GPR_REDUCE_THREADS)
      {
        const gpr_bunch<X> v = packs[p];
#pragma unroll
        for (int e = 0; e < V; e++)
          F::step (&a, v.at (e), head + p * V + e);
      }
    if (tail + threadIdx.x < n)
      F::step (&a, x[tail + threadIdx.x], tail + threadIdx.x);
    return a;
  }
};

/* From the thread whose number differs in a bit.  */
template <class X> static __device__ __forceinline__ X gpr_from_any (X x, int bit)
{
  if constexpr (sizeof (X) >= 4)
    return __shfl_xor_sync (0xffffffffu, x, bit);
  else
    return (X) __shfl_xor_sync (0xffffffffu, (int) x, bit);
}

/* What all threads of a block have, merged in any order; thread 0 gets it.  */
template <class F>
static __device__ __forceinline__ typename F::A gpr_merge_block (typename F::A acc, typename F::A *shared)
{
#pragma unroll 1
  for (int d = 16; d > 0; d /= 2)
    F::merge (&acc, gpr_from_above (acc, d));
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = acc;
  __syncthreads ();
  if (threadIdx.x < 32)
    {
      acc = shared[threadIdx.x % (GPR_REDUCE_THREADS / 32)];
#pragma unroll 1
      for (int d = GPR_REDUCE_THREADS / 64; d > 0; d /= 2)
        F::merge (&acc, gpr_from_above (acc, d));
    }
  __syncthreads ();
  return acc;
}

template <class F>
static __device__ __forceinline__ void gpr_step_tile (typename F::A *a, const gpr_row<typename F::X> &r, int64_t tile)
{
  typedef gpr_row<typename F::X> R;
  typename R::tile v;
  r.load (v, tile);
#pragma unroll
  for (int k = 0; k < R::LOADS; k++)
#pragma unroll
    for (int e = 0; e < R::V; e++)
      F::step (a, v[k].at (e), r.index (tile, k) + e);
}

/* Piece p of an output takes tiles p, p + pieces, …  */
template <class F>
static __device__ __forceinline__ typename F::A
gpr_stream (const gpr_row<typename F::X> &r, int64_t piece, int64_t pieces)
{
  typedef typename F::X X;
  typedef typename F::A A;
  typedef gpr_row<X> R;
  const int64_t tiles = r.whole / R::TILE;
  A a = F::init ();

  if constexpr ((F::traits & GPR_FIRST_OF_BEST) == GPR_FIRST_OF_BEST)
    {
      if (tiles <= pieces)
        {
          /* A tile at most: the place at once.  */
          if (piece < tiles)
            gpr_step_tile<F> (&a, r, piece);
          if (piece == pieces - 1)       /* which has no more tiles than others */
            F::merge (&a, r.template rest<F> ());
          return a;
        }
      /* By value alone, a warp's best so far; of a tile that has a better one, each thread that
         has it keeps the first pack it is in.  Not where another warp of the block has seen a better
         one still, or one warp would be the last that happens to find better ones most often; the
         same value may be a better place.  A value lost between two that write costs no more than time.  */
      typedef gpr_best<X, (F::traits & GPR_PREFERS_GREATER) != 0> B;
      __shared__ X seen;
      volatile X *const block_best = &seen;
      X best = B::worst ();
      if (threadIdx.x == 0)
        *block_best = best;
      __syncthreads ();
      gpr_bunch<X> pack;
      int64_t at = -1;          /* where the pack begins */
      bool begun = false;
      r.each_tile (piece, pieces, [&] (const typename R::tile &v, int64_t tile)
        {
          B b;
          if constexpr (sizeof (X) <= 2)
            b.init ();
          else
            b.b = best;
#pragma unroll
          for (int k = 0; k < R::LOADS; k++)
            b.take (v[k]);
          const X x = b.value ();
          const X others = *block_best;
          if (! __any_sync (0xffffffffu, ! begun || (B::better (x, best) && (best == B::worst () || ! B::better (others, x)))))
            return;
          begun = true;
          best = x;
#pragma unroll 1
          for (int d = 16; d > 0; d /= 2)
            {
              const X other = gpr_from_any (best, d);
              best = B::better (other, best) ? other : best;
            }
          if (threadIdx.x % 32 == 0 && B::better (best, *block_best))
            *block_best = best;
          at = -1;
          if (x != best)
            return;
          if constexpr (sizeof (X) <= 2)        /* from memory again, which is rare: so many registers there are not */
            {
#pragma unroll 1
              for (int k = 0; at < 0; k++)
                {
                  pack = r.packs[r.pack (tile, k)];
                  b.init ();
                  b.take (pack);
                  if (b.value () == best || k == R::LOADS - 1)
                    at = r.index (tile, k);
                }
            }
          else
            {
#pragma unroll
              for (int k = R::LOADS - 1; k >= 0; k--)
                {
                  b.init ();
                  b.take (v[k]);
                  if (b.value () == best)
                    {
                      pack = v[k];
                      at = r.index (tile, k);
                    }
                }
            }
        });
      /* The worst there is may be what NaNs leave: then every element.  */
      if (X (0.5) == X (0) || best != B::worst ())
        {
          if (at >= 0)
            {
              int place = R::V - 1;     /* where no other is */
              X x = pack.at (place);
#pragma unroll
              for (int e = R::V - 2; e >= 0; e--)
                if (pack.at (e) == best)
                  {
                    place = e;
                    x = pack.at (e);
                  }
              F::step (&a, x, at + place);
            }
        }
      else
#pragma unroll 1
        for (int64_t tile = piece; tile < tiles; tile += pieces)
          gpr_step_tile<F> (&a, r, tile);
    }
  else
    {
      constexpr bool small = sizeof (X) <= 2 && sizeof (typename F::A) == 8 && (F::traits & GPR_INTEGER_SUM) != 0;
      constexpr bool extreme = ! F::indexed && (F::traits & GPR_RAW_COMPARE) != 0;
      gpr_keeper<F, small ? 1 : extreme ? 2 : 0> keeper;
      keeper.init ();
      r.each_tile (piece, pieces, [&] (const typename R::tile &v, int64_t tile)
        {
#pragma unroll
          for (int k = 0; k < R::LOADS; k++)
            keeper.take (v[k], r.index (tile, k));
          keeper.end_of_tile ();
        });
      a = keeper.value ();
    }
  if (piece == pieces - 1)       /* which has no more tiles than others */
    F::merge (&a, r.template rest<F> ());
  return a;
}

template <class F>
static __device__ __forceinline__ int gpr_stream_units (const gpr_reduce_args &a, typename F::A *shared)
{
  typedef typename F::X X;
  typedef typename F::A A;
  const bool alone = a.outers == 1;
  int needs_fixup = 0, units = 0;

  auto row = [&] (int64_t outer) { return gpr_row<X> ((const X *) a.x + outer * a.outer_stride, a.length); };
  auto finish = [&] (int64_t outer, A acc)
  {
    if (threadIdx.x == 0)
      needs_fixup |= gpr_store<F> (a.out, outer * a.out_stride, acc);
  };
#pragma unroll 1
  for (int64_t i = blockIdx.x; i < a.units; i += gridDim.x, units++)
    {
      const gpr_unit u = gpr_unit_at (a, i);
      const A acc = gpr_merge_block<F> (gpr_stream<F> (row (u.outer), u.part, a.parts), shared);
      if (a.parts == 1)
        finish (u.outer, acc);
      else
        {
          if (threadIdx.x == 0)
            gpr_emit<F> (a, u.outer, u.part, 0, acc);
          if (! alone && gpr_arrive (a, u.outer, 1, 32))
            finish (u.outer, gpr_merge_parts<F> (a, u.outer, 0, 1, shared));
        }
    }
  if (a.parts > 1 && alone && gpr_arrive (a, 0, units, 32))
    finish (0, gpr_merge_parts<F> (a, 0, 0, 1, shared));
  return needs_fixup;
}

/* Shared memory of a block: the accumulators of its lanes, twice where two buffers save a
   barrier, or those of its run of parts; or a merge_warp_used.  */
template <class F, bool RELAYED = F::merge_warp> struct gpr_dense_shared
{
  static constexpr int V = F::vector, buffers = V * sizeof (typename F::A) <= 64 ? 2 : 1;
  static constexpr int of_lanes = buffers * GPR_REDUCE_THREADS * V, of_runs = F::blocks ? GPR_RUN_LEVELS * F::width : 0;    /* a unit's, too */
  alignas (16) unsigned char raw[(of_lanes > of_runs ? of_lanes : of_runs) * sizeof (typename F::A)];
  __device__ __forceinline__ typename F::A *lanes () { return (typename F::A *) raw; }
  template <bool PRODUCTS> __device__ __forceinline__ int block_units (const gpr_reduce_args &a)
  {
    if constexpr (V > 1 && F::small)
      if (! a.vector)
        return gpr_block_units<F, PRODUCTS, 1> (a, lanes ());
    return gpr_block_units<F, PRODUCTS, V> (a, lanes ());
  }
};
template <class F> struct gpr_dense_shared<F, true>
{
  alignas (16) unsigned char raw[sizeof (gpr_merge_queue<F>)];
  __device__ __forceinline__ typename F::A *lanes () { return (typename F::A *) raw; }
  template <bool PRODUCTS> __device__ __forceinline__ int block_units (const gpr_reduce_args &a)
  {
    static_assert (! PRODUCTS, "accumulators of products are elements");
    return gpr_units_with_merge_warp<F> (a, *(gpr_merge_queue<F> *) raw);
  }
};

template <class F, bool PRODUCTS>
__global__ void __launch_bounds__ (F::merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS, sizeof (typename F::X) <= 2 || (F::exact && ! F::blocks) ? GPR_DENSE_BLOCKS_STREAM : GPR_DENSE_BLOCKS)
  reduce_dense_k (const gpr_reduce_args a)
{
  constexpr int V = 16 / sizeof (typename F::X) > 8 ? 8 : 16 / sizeof (typename F::X);
  __shared__ gpr_dense_shared<F> shared;
  int needs_fixup = 0;
  /* What a reduction takes: gpr_reduce_kernels.  Packs are whole rows' or none at all (cuda_instance.c).  */
  switch (a.algorithm)
    {
    case GPR_ALGORITHM_BLOCK:
      if constexpr (F::blocks)
        needs_fixup = shared.template block_units<PRODUCTS> (a);
      break;
    case GPR_ALGORITHM_GROUP:
      if constexpr (F::small)
        needs_fixup = gpr_group_units<F, PRODUCTS> (a, shared.lanes ());
      break;
    case GPR_ALGORITHM_WARPS:
      if constexpr (F::row_threads > 0)
        {
          if (sizeof (typename F::X) < 4 || a.vector)
            needs_fixup = gpr_rows<F, PRODUCTS, F::width, F::vector, F::width / F::row_threads / F::vector> (a, shared.lanes ());
          else if constexpr (sizeof (typename F::X) >= 4)
            needs_fixup = gpr_rows<F, PRODUCTS, F::width, 1, F::width / GPR_ROW_THREADS> (a, shared.lanes ());
        }
      break;
    case GPR_ALGORITHM_THREAD:
      if constexpr (F::small)
        needs_fixup = V == 1 || ! a.vector ? gpr_thread_units<F, PRODUCTS, 1> (a) : gpr_thread_units<F, PRODUCTS, V> (a);
      break;
    default:
      if constexpr (F::exact && ! PRODUCTS)
        needs_fixup = gpr_stream_units<F> (a, shared.lanes ());
    }
  gpr_report (a.out, needs_fixup);
}

#endif
