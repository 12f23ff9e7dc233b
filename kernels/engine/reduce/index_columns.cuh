/* INDEX_COLUMNS: the greatest element of each column of slabs, and its row.  A block takes some rows of a
   tile of columns, or of all columns of some outers.  */

#ifndef GPR_REDUCE_INDEX_COLUMNS_CUH
#define GPR_REDUCE_INDEX_COLUMNS_CUH

#include "index_lead.cuh"
#include "ticket.cuh"

template <class X> constexpr int gpr_index_columns_vector = GPR_INDEX_VECTOR (sizeof (X), GPR_INDEX_COLUMNS_VECTOR);

/* What a block merges in shared memory.  */
template <class X> struct gpr_index_lanes
{
  X v[GPR_INDEX_THREADS * gpr_index_columns_vector<X>];
  unsigned row[GPR_INDEX_THREADS * gpr_index_columns_vector<X>];
};

/* Any number of lanes of so many columns merge by halving, in any order, from first on: by so many threads, of
   which this is number me.  All of the block come here, with as many lanes.  */
template <class X>
static __device__ __forceinline__ void gpr_merge_index_lanes (gpr_index_lanes<X> &shared, int first, int lanes, int columns, int me, int threads)
{
  __syncthreads ();
#pragma unroll 1
  for (int left = lanes; left > 1; left = (left + 1) / 2)
    {
      const int other = (left + 1) / 2 * columns, end = left * columns - other;
#pragma unroll 1
      for (int f = me; f < end; f += threads)
        {
          const int to = first + f, from = to + other;
          if (gpr_goes_before (shared.v[from], shared.row[from], shared.v[to], shared.row[to]))
            {
              shared.v[to] = shared.v[from];
              shared.row[to] = shared.row[from];
            }
        }
      __syncthreads ();
    }
}

struct gpr_index_unit { int64_t outer; int part, tile, columns; };

static __device__ __forceinline__ gpr_index_unit gpr_index_unit_at (const gpr_reduce_args &a, int64_t i)
{
  const gpr_index_columns_args &own = a.own.index_columns;
  gpr_index_unit u;
  const int64_t slab = own.tiles == 1 ? i : gpr_quotient (i, own.tiles, own.by_tiles);
  u.tile = (int) (i - slab * own.tiles);
  u.outer = a.parts == 1 ? slab : gpr_quotient (slab, a.parts, a.by_parts);
  u.part = (int) (slab - u.outer * a.parts);
  const int64_t left = a.out_columns - (int64_t) u.tile * own.width;    /* a box's last tiles may be empty */
  u.columns = left < own.width ? (int) (left > 0 ? left : 0) : own.width;
  return u;
}
/* A unit's first column.  */
static __device__ __forceinline__ int64_t gpr_index_column (const gpr_reduce_args &a, const gpr_index_unit &u)
{
  return (int64_t) u.tile * a.own.index_columns.width;
}

/* V neighbouring columns are complete, or what a part has of them.  */
template <class F, int V>
static __device__ __forceinline__ void
gpr_emit_leads (const gpr_reduce_args &a, const gpr_index_unit &u, int64_t column, typename F::X *v, const unsigned *row)
{
  typedef typename F::A A;
  const typename F::X *x = (const typename F::X *) a.load.array.x + u.outer * a.outer_stride + column;
#pragma unroll
  for (int e = 0; e < V; e++)
    v[e] = gpr_first_nan (v[e], x + e, row[e], a.row_stride, a.load.array.turn);
  if (a.all_parts == 1)
    {
      gpr_store_leads<F, V> (a, u.outer * a.out_stride + column, v, row);
      return;
    }
  A *to = (A *) a.partials + (u.outer * a.all_parts + u.part) * a.out_stride + column;
#pragma unroll
  for (int e = 0; e < V; e++)
    {
      A acc;
      acc.i = row[e] == GPR_NOWHERE ? INT64_MAX : row[e];
      acc.v = v[e];
      to[e] = acc;
    }
}

/* The last block of a tile: its parts as lanes.  */
template <class F>
static __device__ __forceinline__ void gpr_merge_index_tile (const gpr_reduce_args &a, const gpr_index_unit &u, gpr_index_lanes<typename F::X> &shared)
{
  if (u.columns == 0)
    return;
  typedef typename F::A A;
  typedef typename F::X X;
  const int T = blockDim.x, parts = (int) a.all_parts, lanes = u.columns < T ? min (parts, T / u.columns) : 1;
  const A *p = (const A *) a.partials + u.outer * a.all_parts * a.out_stride + gpr_index_column (a, u);
#pragma unroll 1
  for (int f = threadIdx.x; f < lanes * u.columns; f += T)
    {
      const int lane = f / u.columns, c = f - lane * u.columns;
      X v = p[lane * a.out_stride + c].v;
      unsigned row = (unsigned) p[lane * a.out_stride + c].i;   /* INT64_MAX becomes GPR_NOWHERE */
#pragma unroll 4
      for (int q = lane + lanes; q < parts; q += lanes)
        {
          const A b = p[q * a.out_stride + c];
          const bool better = gpr_goes_before (b.v, (unsigned) b.i, v, row);
          v = better ? b.v : v;
          row = better ? (unsigned) b.i : row;
        }
      shared.v[f] = v;
      shared.row[f] = row;
    }
  gpr_merge_index_lanes (shared, 0, lanes, u.columns, threadIdx.x, T);
#pragma unroll 1
  for (int c = threadIdx.x; c < u.columns; c += T)
    gpr_store_leads<F, 1> (a, u.outer * a.out_stride + gpr_index_column (a, u) + c, &shared.v[c], &shared.row[c]);
  __syncthreads ();
}

/* The lanes of a unit lie one after the other, row by row: its thread me has V of them, and steps by all.  Several
   lanes a column only where a unit has all the columns: then the block merges them in shared memory, from first_lane on.  */
template <class F, int V>
static __device__ __forceinline__ void
gpr_index_unit_steps (const gpr_reduce_args &a, const gpr_index_unit &u, bool there, int me, int first_lane, gpr_index_lanes<typename F::X> &shared)
{
  typedef typename F::X X;
  typedef gpr_vector<X, V> vector;
  constexpr int S = V * sizeof (X) == 16 ? GPR_INDEX_LOADS / 2 : V == 1 && sizeof (X) <= 2 ? 2 * GPR_INDEX_LOADS : GPR_INDEX_LOADS;
  const gpr_index_columns_args &own = a.own.index_columns;
  const u64 turn = a.load.array.turn;
  const int lanes = own.lanes, f0 = me * V;
  const int64_t step = lanes * a.row_stride;
  const bool here = there && f0 < lanes * u.columns;
  const int64_t row0 = (int64_t) u.part * own.rows, left = a.length - row0;
  const int rows = ! here || left < 0 ? 0 : left < own.rows ? (int) left : own.rows;
  const int full = lanes == 1 ? rows : (int) ((unsigned) rows / (unsigned) lanes), rest = (rows - full * lanes) * own.width;
  const int steps = gpr_steps_of<V> (full, rest, f0);
  const X *x = (const X *) a.load.array.x + u.outer * a.outer_stride + row0 * a.row_stride + gpr_index_column (a, u) + f0;
  auto first = [&] (int e) { return full > 0 || f0 + e < rest ? 0 : GPR_NOWHERE; };
  gpr_lead<X> lead[V];
#pragma unroll
  for (int e = 0; e < V; e++)
    lead[e].init (first (e));
  auto go = [&] (int s, int count) {
    vector p[S];
#pragma unroll
    for (int k = 0; k < S; k++)
      if (k < count)
        p[k] = *(const vector *) (x + k * step);
#pragma unroll
    for (int k = 0; k < S; k++)
      if (k < count)
#pragma unroll
        for (int e = 0; e < V; e++)
          lead[e].template take<V> (p[k], e, s + k, 0, turn);
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
        lead[e].template take<1> (*(const gpr_vector<X, 1> *) (x + (full - s) * step + e), 0, full, 0, turn);

  X v[V];
  unsigned row[V];
  int q = lanes == 1 ? 0 : f0 / own.width, c = f0 - q * own.width;      /* lane and column */
#pragma unroll
  for (int e = 0; e < V; e++)
    {
      const unsigned at = lead[e].place (first (e));
      v[e] = lead[e].value ();
      row[e] = at == GPR_NOWHERE ? at : (unsigned) row0 + at * lanes + q;
      if (++c == own.width)
        {
          c = 0;
          q++;
        }
    }
  if (! here)
    return;
  if (lanes == 1)
    gpr_emit_leads<F, V> (a, u, gpr_index_column (a, u) + f0, v, row);
  else
#pragma unroll
    for (int e = 0; e < V; e++)
      if (f0 + e < lanes * own.width)
        {
          shared.v[first_lane + f0 + e] = v[e];
          shared.row[first_lane + f0 + e] = row[e];
        }
}

/* All is compiled for both V: what both had in common would be kept beside the steps, and spill.  */
template <class F, int V>
static __device__ __forceinline__ void gpr_index_columns_of (const gpr_reduce_args &a, gpr_index_lanes<typename F::X> &shared)
{
  const gpr_index_columns_args &own = a.own.index_columns;
  const int lanes = own.lanes, unit_threads = (lanes * own.width + V - 1) / V;
  const int unit = threadIdx.x / unit_threads, me = threadIdx.x - unit * unit_threads, first_lane = unit * lanes * own.width;
  const bool alone = own.tiles * a.outers == 1;
  const int64_t stride = (int64_t) gridDim.x * own.units;
  int done = 0;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * own.units; first < a.units; first += stride)
    {
      const bool there = unit < own.units && first + unit < a.units;
      const gpr_index_unit u = gpr_index_unit_at (a, there ? first + unit : first);
      gpr_index_unit_steps<F, V> (a, u, there, me, first_lane, shared);
      if (lanes > 1)
        {
          gpr_merge_index_lanes (shared, first_lane, lanes, there ? own.width : 0, me, unit_threads);
#pragma unroll 1
          for (int c = me; there && c < own.width; c += unit_threads)
            gpr_emit_leads<F, 1> (a, u, c, &shared.v[first_lane + c], &shared.row[first_lane + c]);
          __syncthreads ();
        }
      done++;
      /* Of a single output and tile a block draws once.  */
      if (a.tickets && (! alone || first + stride >= a.units)
          && gpr_arrive (a, u.outer * own.tiles + u.tile, alone ? done : 1, blockDim.x))
        gpr_merge_index_tile<F> (a, u, shared);
    }
}

/* Columns of up to 8 elements: V neighbouring ones a thread, of which R are on their way.  */
template <class F, int V> static __device__ __forceinline__ void gpr_index_few (const gpr_reduce_args &a)
{
  typedef typename F::X X;
  typedef gpr_vector<X, V> vector;
  constexpr int S = 8, R = V * (int) sizeof (X) < 16 ? 2 : 1;
  const int n = (int) a.length, T = blockDim.x;
  const int64_t across = a.inner / V;
  const u64 turn = a.load.array.turn;

#pragma unroll 1
  for (int64_t first = (int64_t) blockIdx.x * R * T + threadIdx.x; first < a.units; first += (int64_t) gridDim.x * R * T)
    {
      vector p[R][S];
      int64_t to[R];
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          const int64_t i = first + r * T, outer = a.outers == 1 ? 0 : gpr_quotient (i, across, a.own.index_columns.by_tiles);
          const X *x = (const X *) a.load.array.x + outer * a.outer_stride + (i - outer * across) * V;
          to[r] = outer * a.out_stride + (i - outer * across) * V;
#pragma unroll
          for (int k = 0; k < S; k++, x += a.row_stride)
            if (k < n && i < a.units)
              p[r][k] = *(const vector *) x;
        }
#pragma unroll
      for (int r = 0; r < R; r++)
        if (first + r * T < a.units)
          {
            X v[V];
            unsigned row[V];
#pragma unroll
            for (int e = 0; e < V; e++)
              {
                v[e] = gpr_turned (p[r][0].at (e), turn);
                row[e] = 0;
#pragma unroll
                for (int k = 1; k < S; k++)
                  if (k < n)
                    {
                      const X y = gpr_turned (p[r][k].at (e), turn);
                      const bool better = y > v[e] || (v[e] != v[e] && y == y);
                      v[e] = better ? y : v[e];
                      row[e] = better ? k : row[e];
                    }
              }
            gpr_store_leads<F, V> (a, to[r], v, row);
          }
    }
}

template <class F> static __device__ __forceinline__ void gpr_index_columns (const gpr_reduce_args &a)
{
  if (a.own.index_columns.few)
    {
      if (a.own.index_columns.vector)
        gpr_index_few<F, gpr_index_columns_vector<typename F::X>> (a);
      else
        gpr_index_few<F, 1> (a);
      return;
    }
  typedef typename F::X X;
  __shared__ gpr_index_lanes<X> shared;
  if (a.own.index_columns.vector)
    gpr_index_columns_of<F, gpr_index_columns_vector<X>> (a, shared);
  else
    gpr_index_columns_of<F, 1> (a, shared);
}

#endif
