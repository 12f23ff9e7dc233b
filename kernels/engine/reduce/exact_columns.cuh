/* EXACT_COLUMNS: an output of each column of slabs, of what any order suits (exact.cuh).  A block takes some
   rows of a tile of columns, or of all columns of some outers.  */

#ifndef GPR_REDUCE_EXACT_COLUMNS_CUH
#define GPR_REDUCE_EXACT_COLUMNS_CUH

#include "exact.cuh"
#include "ticket.cuh"

/* What a block merges in shared memory: any number of lanes.  */
template <class F> using gpr_exact_lanes = typename gpr_exact<F>::template lanes<GPR_EXACT_COLUMNS_THREADS * F::columns_vector>;

/* Any number of lanes of so many columns merge by halving, in any order, from first on: by so many threads, of
   which this is number me.  All of the block come here, with as many lanes.  */
template <class F>
static __device__ __forceinline__ void gpr_merge_exact_lanes (gpr_exact_lanes<F> &shared, int first, int lanes, int columns, int me, int threads)
{
  __syncthreads ();
#pragma unroll 1
  for (int left = lanes; left > 1; left = (left + 1) / 2)
    {
      const int other = (left + 1) / 2 * columns, end = left * columns - other;
#pragma unroll 1
      for (int f = me; f < end; f += threads)
        shared.merge (first + f, first + f + other);
      __syncthreads ();
    }
}

struct gpr_exact_unit { int64_t outer; int part, tile, columns; };

static __device__ __forceinline__ gpr_exact_unit gpr_exact_unit_at (const gpr_reduce_args &a, int64_t i)
{
  const gpr_exact_columns_args &own = a.own.exact_columns;
  gpr_exact_unit u;
  const int64_t slab = own.tiles == 1 ? i : gpr_quotient (i, own.tiles, own.by_tiles);
  u.tile = (int) (i - slab * own.tiles);
  u.outer = a.parts == 1 ? slab : gpr_quotient (slab, a.parts, a.by_parts);
  u.part = (int) (slab - u.outer * a.parts);
  const int64_t left = a.out_columns - (int64_t) u.tile * own.width;    /* a box's last tiles may be empty */
  u.columns = left < own.width ? (int) (left > 0 ? left : 0) : own.width;
  return u;
}
/* A unit's first column.  */
static __device__ __forceinline__ int64_t gpr_exact_column (const gpr_reduce_args &a, const gpr_exact_unit &u)
{
  return (int64_t) u.tile * a.own.exact_columns.width;
}

/* V neighbouring columns are complete, or what a part has of them.  */
template <class F, int V>
static __device__ __forceinline__ void
gpr_emit_kept (const gpr_reduce_args &a, const gpr_exact_unit &u, int64_t column, typename gpr_exact<F>::kept *kept)
{
  typedef typename F::A A;
  const typename F::X *x = (const typename F::X *) a.load.array.x + u.outer * a.outer_stride + column;
#pragma unroll
  for (int e = 0; e < V; e++)
    gpr_exact<F>::settle (a, kept[e], x + e, a.row_stride);
  if (a.all_parts == 1)
    {
      gpr_exact<F>::template store<V> (a, u.outer * a.out_stride + column, kept);
      return;
    }
  A acc[V];
#pragma unroll
  for (int e = 0; e < V; e++)
    acc[e] = gpr_exact<F>::partial (kept[e]);
  gpr_write<A, V> ((A *) a.partials + (u.outer * a.all_parts + u.part) * a.out_stride + column, acc);
}

/* The last block of a tile: its parts as lanes.  */
template <class F>
static __device__ __forceinline__ void gpr_merge_exact_tile (const gpr_reduce_args &a, const gpr_exact_unit &u, gpr_exact_lanes<F> &shared)
{
  if (u.columns == 0)
    return;
  typedef typename F::A A;
  typedef typename gpr_exact<F>::kept kept;
  const int T = blockDim.x, parts = (int) a.all_parts, lanes = u.columns < T ? min (parts, T / u.columns) : 1;
  const A *p = (const A *) a.partials + u.outer * a.all_parts * a.out_stride + gpr_exact_column (a, u);
#pragma unroll 1
  for (int f = threadIdx.x; f < lanes * u.columns; f += T)
    {
      const int lane = f / u.columns, c = f - lane * u.columns;
      kept k = gpr_exact<F>::of_partial (p[lane * a.out_stride + c]);
#pragma unroll 4
      for (int q = lane + lanes; q < parts; q += lanes)
        gpr_exact<F>::merge (k, gpr_exact<F>::of_partial (p[q * a.out_stride + c]));
      shared.put (f, k);
    }
  gpr_merge_exact_lanes<F> (shared, 0, lanes, u.columns, threadIdx.x, T);
#pragma unroll 1
  for (int c = threadIdx.x; c < u.columns; c += T)
    {
      const kept k = shared.get (c);
      gpr_exact<F>::template store<1> (a, u.outer * a.out_stride + gpr_exact_column (a, u) + c, &k);
    }
  __syncthreads ();
}

/* The lanes of a unit lie one after the other, row by row: its thread me has V of them, and steps by all.  Several
   lanes a column only where a unit has all the columns: then the block merges them in shared memory, from first_lane on.  */
template <class F, int V>
static __device__ __forceinline__ void
gpr_exact_unit_steps (const gpr_reduce_args &a, const gpr_exact_unit &u, bool there, int me, int first_lane, gpr_exact_lanes<F> &shared)
{
  typedef typename F::X X;
  typedef gpr_vector<X, V> vector;
  constexpr int S = V * sizeof (X) == 16 ? GPR_EXACT_LOADS / 2 : V == 1 && sizeof (X) <= 4 ? 2 * GPR_EXACT_LOADS : GPR_EXACT_LOADS;
  const gpr_exact_columns_args &own = a.own.exact_columns;
  const u64 turn = a.load.array.turn;
  const int lanes = own.lanes, f0 = me * V;
  const int64_t step = lanes * a.row_stride;
  const bool here = there && f0 < lanes * u.columns;
  const int64_t row0 = (int64_t) u.part * own.rows, left = a.length - row0;
  const int rows = ! here || left < 0 ? 0 : left < own.rows ? (int) left : own.rows;
  const int full = lanes == 1 ? rows : (int) ((unsigned) rows / (unsigned) lanes), rest = (rows - full * lanes) * own.width;
  const int steps = gpr_steps_of<V> (full, rest, f0);
  const X *x = (const X *) a.load.array.x + u.outer * a.outer_stride + row0 * a.row_stride + gpr_exact_column (a, u) + f0;
  auto first = [&] (int e) { return full > 0 || f0 + e < rest ? 0 : GPR_NOWHERE; };
  typename gpr_exact<F>::template columns<V> lead;
#pragma unroll
  for (int e = 0; e < V; e++)
    lead.init (e, first (e));
  auto go = [&] (int s, int count) {
    vector p[S];
#pragma unroll
    for (int k = 0; k < S; k++)
      if (k < count)
        p[k] = *(const vector *) (x + k * step);
#pragma unroll
    for (int k = 0; k < S; k++)
      if (k < count)
        lead.take (p[k], s + k, turn);
  };
  int s = 0;
#pragma unroll 1
  for (; s + S <= steps; s += S, x += S * step)
    go (s, S);
  if (s < steps)
    go (s, steps - s);
  if (V > 1 && rest % V != 0)           /* the rows end within a vector */
#pragma unroll
    for (int e = 0; e < V; e++)
      if (gpr_odd_lane<V> (rest, f0, e))
        lead.take_one (e, *(const gpr_vector<X, 1> *) (x + (full - s) * step + e), full, turn);

  typename gpr_exact<F>::kept kept[V];
  int q = lanes == 1 ? 0 : f0 / own.width, c = f0 - q * own.width;      /* lane and column */
#pragma unroll
  for (int e = 0; e < V; e++)
    {
      kept[e] = lead.kept_of (e, first (e), [&] (unsigned at) { return (unsigned) row0 + at * lanes + q; });
      if (++c == own.width)
        {
          c = 0;
          q++;
        }
    }
  if (! here)
    return;
  if (lanes == 1)
    gpr_emit_kept<F, V> (a, u, gpr_exact_column (a, u) + f0, kept);
  else
#pragma unroll
    for (int e = 0; e < V; e++)
      if (f0 + e < lanes * own.width)
        shared.put (first_lane + f0 + e, kept[e]);
}

/* All is compiled for both V: what both had in common would be kept beside the steps, and spill.  */
template <class F, int V>
static __device__ __forceinline__ void gpr_exact_columns_of (const gpr_reduce_args &a, gpr_exact_lanes<F> &shared)
{
  const gpr_exact_columns_args &own = a.own.exact_columns;
  const int lanes = own.lanes, unit_threads = (lanes * own.width + V - 1) / V;
  const int unit = threadIdx.x / unit_threads, me = threadIdx.x - unit * unit_threads, first_lane = unit * lanes * own.width;
  const bool alone = own.tiles * a.outers == 1;
  const int64_t stride = (int64_t) gridDim.x * own.units;
  int done = 0;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * own.units; first < a.units; first += stride)
    {
      const bool there = unit < own.units && first + unit < a.units;
      const gpr_exact_unit u = gpr_exact_unit_at (a, there ? first + unit : first);
      gpr_exact_unit_steps<F, V> (a, u, there, me, first_lane, shared);
      if (lanes > 1)
        {
          gpr_merge_exact_lanes<F> (shared, first_lane, lanes, there ? own.width : 0, me, unit_threads);
#pragma unroll 1
          for (int c = me; there && c < own.width; c += unit_threads)
            {
              typename gpr_exact<F>::kept k = shared.get (first_lane + c);
              gpr_emit_kept<F, 1> (a, u, c, &k);
            }
          __syncthreads ();
        }
      done++;
      /* Of a single output and tile a block draws once.  */
      if (a.tickets && (! alone || first + stride >= a.units)
          && gpr_arrive (a, u.outer * own.tiles + u.tile, alone ? done : 1, blockDim.x))
        gpr_merge_exact_tile<F> (a, u, shared);
    }
}

/* Columns of up to 8 elements: V neighbouring ones a thread, of which R are on their way.  */
template <class F, int V> static __device__ __forceinline__ void gpr_exact_few (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef gpr_vector<X, V> vector;
  constexpr int S = 8, R = GPR_FEW_AT_ONCE (V * sizeof (X), sizeof (typename F::Y));
  const int n = (int) a.length, T = blockDim.x;
  const int64_t across = a.inner / V;
  const u64 turn = a.load.array.turn;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * R * T + threadIdx.x; first < a.units; first += (int64_t) gridDim.x * R * T)
    {
      vector p[R][S];
      gpr_exact_unit u[R];
      int64_t column[R];
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          const int64_t i = first + r * T, outer = a.outers == 1 ? 0 : gpr_quotient (i, across, a.own.exact_columns.by_tiles);
          u[r] = { outer, 0, 0, 0 };
          column[r] = (i - outer * across) * V;
          const X *x = (const X *) a.load.array.x + outer * a.outer_stride + column[r];
#pragma unroll
          for (int k = 0; k < S; k++, x += a.row_stride)
            if (k < n && i < a.units)
              p[r][k] = *(const vector *) x;
        }
#pragma unroll
      for (int r = 0; r < R; r++)
        if (first + r * T < a.units)
          {
            typename gpr_exact<F>::template columns<V> lead;
            typename gpr_exact<F>::kept kept[V];
#pragma unroll
            for (int e = 0; e < V; e++)
              lead.init (e, 0);
#pragma unroll
            for (int k = 0; k < S; k++)
              if (k < n)
                lead.take (p[r][k], k, turn);
#pragma unroll
            for (int e = 0; e < V; e++)
              kept[e] = lead.kept_of (e, 0, [] (unsigned at) { return at; });
            gpr_emit_kept<F, V> (a, u[r], column[r], kept);
          }
    }
}

template <class F> static __device__ __forceinline__ void gpr_exact_columns (const gpr_reduce_args &a)
{
  if (a.own.exact_columns.few)
    {
      if constexpr (F::columns_vector > 1)
        if (a.own.exact_columns.vector)
          return gpr_exact_few<F, F::columns_vector> (a);
      return gpr_exact_few<F, 1> (a);
    }
  __shared__ gpr_exact_lanes<F> shared;
  if constexpr (F::columns_vector > 1)
    if (a.own.exact_columns.vector)
      return gpr_exact_columns_of<F, F::columns_vector> (a, shared);
  gpr_exact_columns_of<F, 1> (a, shared);
}

#endif
