/* The one reading of longer columns: what is below, at and between the bounds.  */

#ifndef GPR_SELECT_DIVIDE_CUH
#define GPR_SELECT_DIVIDE_CUH

/* The columns, or the list, that a block divides, and which of their rows.  */
template <class S> struct select_part { const S *x; int64_t stride, rows, query; int width, results; bool of_list; };

/* A block's bounds and counts, [column][result].  */
template <class K> struct select_counts
{
  enum { ALL = GPR_SELECT_WIDTH * GPR_SELECT_RESULTS };
  K low[ALL], high[ALL];
  unsigned inside[ALL], below[ALL], at_low[ALL], at_high[ALL], nans[GPR_SELECT_WIDTH];
  unsigned long long bases[ALL];
};

/* The keys of a thread, EACH at most; which there are, as bits.  */
template <class S, class K>
static __device__ __forceinline__ unsigned select_read (const gpr_select_args &a, const select_part<S> &p, const S *x, int steps, int64_t left, K center, K *keys)
{
  unsigned there = 0;
#pragma unroll
  for (int e = 0; e < GPR_SELECT_EACH; e++)
    if ((int64_t) e * steps < left)
      {
        keys[e] = (K) x[e * steps * p.stride];
        there |= 1u << e;
      }
  if (! p.of_list)
#pragma unroll
    for (int e = 0; e < GPR_SELECT_EACH; e++)
      keys[e] = select_key (a, keys[e], center);
  return there;
}

/* Which of a thread's keys are between the bounds of one result, as bits; the others are counted.  */
template <class K>
static __device__ __forceinline__ unsigned select_count (select_counts<K> &counts, int at, const K *keys, unsigned there)
{
  const K low = counts.low[at], high = counts.high[at];
  unsigned inside = 0, below = 0, at_low = 0, at_high = 0;
#pragma unroll
  for (int e = 0; e < GPR_SELECT_EACH; e++)
    if (there >> e & 1)
      {
        below += keys[e] < low;
        at_low += keys[e] == low;
        at_high += keys[e] == high;
        inside |= (unsigned) (keys[e] > low && keys[e] < high) << e;
      }
  if (below)
    atomicAdd (&counts.below[at], below);
  if (at_low)
    atomicAdd (&counts.at_low[at], at_low);
  if (at_high && low != high)
    atomicAdd (&counts.at_high[at], at_high);
  return inside;
}

/* Room for n things of a thread in a block's count; where it begins.  All threads of a warp come, and do it together.  */
static __device__ __forceinline__ unsigned select_reserve (unsigned *count, unsigned n)
{
  const int lane = threadIdx.x % 32;
  unsigned end = n, from = 0;
  for (int d = 1; d < 32; d *= 2)
    {
      const unsigned before = __shfl_up_sync (SELECT_ALL, end, d);
      end += lane >= d ? before : 0;
    }
  if (lane == 31 && end)
    from = atomicAdd (count, end);
  return __shfl_sync (SELECT_ALL, from, 31) + end - n;
}

/* Those of a thread's keys to the list, from base on.  */
template <class K>
static __device__ __forceinline__ void select_write (unsigned inside, const K *keys, K *list, int64_t base, int64_t room)
{
#pragma unroll
  for (int e = 0; e < GPR_SELECT_EACH; e++)
    {
      const int64_t to = base + __popc (inside & ((1u << e) - 1));
      if ((inside >> e & 1) && to < room)
        list[to] = keys[e];
    }
}

/* Columns side by side.  */
template <class S, class K>
static __device__ __forceinline__ void select_divide_columns (const gpr_select_args &a, const select_part<S> &p, int64_t piece, select_counts<K> &counts)
{
  enum { B = GPR_SELECT_RESULTS };
  const int steps = blockDim.x / p.width, step = threadIdx.x / p.width, w = threadIdx.x - step * p.width, of = p.width * p.results;
  const bool here = step < steps, looks = select_floating (a);
  const int64_t turn = (int64_t) steps * GPR_SELECT_EACH;
  gpr_select_bracket *brackets = a.brackets + a.level * a.queries + p.query;
  const K center = select_center<K> (a, p.query / p.results + (here ? w : 0));
  unsigned nans = 0;

  for (int i = threadIdx.x; i < of; i += blockDim.x)
    {
      counts.low[i] = (K) brackets[i].low;
      counts.high[i] = (K) brackets[i].high;
      counts.inside[i] = counts.below[i] = counts.at_low[i] = counts.at_high[i] = 0;
      if (i < p.width)
        counts.nans[i] = 0;
    }
  __syncthreads ();
  for (int64_t from = piece * turn; from < p.rows; from += a.pieces * turn)
    {
      K keys[GPR_SELECT_EACH];
      unsigned inside[B], at[B];
      const unsigned there = select_read (a, p, p.x + w + (from + step) * p.stride, steps, here ? p.rows - from - step : 0, center, keys);
      if (looks)
#pragma unroll
        for (int e = 0; e < GPR_SELECT_EACH; e++)
          nans += (there >> e & 1) && keys[e] == (K) ~(K) 0;
#pragma unroll
      for (int b = 0; b < B; b++)
        {
          inside[b] = here && b < p.results ? select_count (counts, w * p.results + b, keys, there) : 0;
          at[b] = inside[b] ? atomicAdd (&counts.inside[w * p.results + b], (unsigned) __popc (inside[b])) : 0;
        }
      __syncthreads ();
      for (int i = threadIdx.x; i < of; i += blockDim.x)
        if (counts.inside[i])
          {
            counts.bases[i] = atomicAdd (&brackets[i].inside, (unsigned long long) counts.inside[i]);
            counts.inside[i] = 0;
          }
      __syncthreads ();
#pragma unroll
      for (int b = 0; b < B; b++)
        if (inside[b])
          select_write (inside[b], keys, select_list<K> (a, a.level, p.query + w * p.results + b), (int64_t) counts.bases[w * p.results + b] + at[b], a.room[a.level % 2]);
    }
  if (here && nans)
    atomicAdd (&counts.nans[w], nans);
  __syncthreads ();
  for (int i = threadIdx.x; i < of; i += blockDim.x)
    {
      if (counts.below[i])
        atomicAdd (&brackets[i].below, (unsigned long long) counts.below[i]);
      if (counts.at_low[i])
        atomicAdd (&brackets[i].at_low, (unsigned long long) counts.at_low[i]);
      if (counts.at_high[i])
        atomicAdd (&brackets[i].at_high, (unsigned long long) counts.at_high[i]);
      if (i < p.width && counts.nans[i])
        atomicAdd (&a.nans[p.query / p.results + i], (unsigned long long) counts.nans[i]);
    }
  __syncthreads ();
}

/* ---- one column, or a list ------------------------------------------------------------------ */

enum { SELECT_WARPS = GPR_SELECT_PART_THREADS / 32 };

/* A block's bounds, for each result, and what each of its warps has counted.  Most keys are told from the bounds by their first words.  The launch's memory has, for each thread, the keys of one turn and result whose first words
   are from the lower bound's to the upper bound's (near), and for each warp and result those of them that are between the bounds, till they are written (kept).  */
template <class K> struct select_between
{
  K low[GPR_SELECT_RESULTS], high[GPR_SELECT_RESULTS];
  unsigned below[SELECT_WARPS][GPR_SELECT_RESULTS], at_low[SELECT_WARPS][GPR_SELECT_RESULTS], at_high[SELECT_WARPS][GPR_SELECT_RESULTS], nans[SELECT_WARPS];
  int kept[SELECT_WARPS][GPR_SELECT_RESULTS];
};

static_assert (sizeof (select_between<u64>) <= GPR_SELECT_STATIC, "GPR_SELECT_STATIC");
static_assert (GPR_SELECT_STATIC + GPR_SELECT_DIVIDE_KEYS (GPR_SELECT_RESULTS) * sizeof (u64) <= 64 << 10, "GPR_SELECT_RESULTS");

/* A warp's keys to the list.  */
template <class K> static __device__ __noinline__ void select_write_kept (const K *keys, int kept, K *list, int64_t room, unsigned long long *inside)
{
  const int lane = threadIdx.x % 32;
  unsigned long long base = 0;

  __syncwarp ();
  if (lane == 0)
    base = atomicAdd (inside, (unsigned long long) kept);
  base = __shfl_sync (SELECT_ALL, base, 0);
  for (int i = lane; i < kept; i += 32)
    if ((int64_t) base + i < room)
      list[base + i] = keys[i];
  __syncwarp ();
}

/* What a warp counts of one result's bounds.  */
struct select_edges { unsigned below, at_low, at_high; };

/* A thread's near keys, count of them, 32 apart: those between the bounds go to own, of which there are `kept' then, and from there to the list.  */
template <class K>
static __device__ __forceinline__ int select_take_near (const K *near, int count, K low, K high, select_edges *edges, K *own, int kept, K *list, int64_t room, unsigned long long *inside)
{
  const unsigned before = (1u << threadIdx.x % 32) - 1;
  for (int i = 0; __any_sync (SELECT_ALL, i < count); i++)
    {
      const bool here = i < count;
      const K key = here ? near[32 * i] : 0;
      const bool in = here && key > low && key < high;
      const unsigned all = __ballot_sync (SELECT_ALL, in);
      if (in)
        own[kept + __popc (all & before)] = key;
      else if (here)
        {
          edges->below += key < low;
          edges->at_low += key == low;
          edges->at_high += key == high;
        }
      kept += __popc (all);
      if (kept > GPR_SELECT_KEPT - 32)
        {
          select_write_kept (own, kept, list, room, inside);
          kept = 0;
        }
    }
  return kept;
}

/* Warps by themselves, so that some compute while others read.  */
template <class S, class K>
static __device__ __forceinline__ void select_divide (const gpr_select_args &a, const select_part<S> &p, int64_t piece, select_between<K> &between, K *memory)
{
  enum { EACH = GPR_SELECT_EACH };
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int64_t turn = (int64_t) GPR_SELECT_PART_THREADS * EACH, distance = GPR_SELECT_PART_THREADS * p.stride, room = a.room[a.level % 2];
  gpr_select_bracket *brackets = a.brackets + a.level * a.queries + p.query;
  const K center = p.of_list ? 0 : select_center<K> (a, p.query / p.results);
  K *near = memory + warp * 32 * EACH + lane, *kept_keys = memory + SELECT_WARPS * 32 * EACH + warp * p.results * GPR_SELECT_KEPT;
  unsigned nans = 0;

  if ((int) threadIdx.x < p.results)
    {
      between.low[threadIdx.x] = (K) brackets[threadIdx.x].low;
      between.high[threadIdx.x] = (K) brackets[threadIdx.x].high;
    }
  if (lane < GPR_SELECT_RESULTS)
    between.below[warp][lane] = between.at_low[warp][lane] = between.at_high[warp][lane] = between.kept[warp][lane] = 0;
  __syncthreads ();
  for (int64_t from = piece * turn; from < p.rows; from += a.pieces * turn)
    {
      const S *x = p.x + (from + threadIdx.x) * p.stride;
      const bool full = from + turn <= p.rows;
      K keys[EACH];
      unsigned there = ~0u;
      if (full)
        {
#pragma unroll
          for (int e = 0; e < EACH; e++)
            keys[e] = (K) x[e * distance];
          if (a.center && ! p.of_list)
#pragma unroll
            for (int e = 0; e < EACH; e++)
              (void) select_distance (keys[e], center, &keys[e]);
          if (! p.of_list)
#pragma unroll
            for (int e = 0; e < EACH; e++)
              keys[e] = select_plain_key (a, keys[e], &nans);
        }
      else
#pragma unroll
        for (int e = 0; e < EACH; e++)
          if (from + threadIdx.x + e * GPR_SELECT_PART_THREADS < p.rows)
            {
              keys[e] = (K) x[e * distance];
              if (a.center && ! p.of_list)
                (void) select_distance (keys[e], center, &keys[e]);
              keys[e] = p.of_list ? keys[e] : select_plain_key (a, keys[e], &nans);
            }
          else
            {
              keys[e] = (K) ~(K) 0;
              there &= ~(1u << e);
            }
#pragma unroll 1
      for (int b = 0; b < p.results; b++)
        {
          const K low = between.low[b], high = between.high[b];
          const u32 low_upper = select_top (low), span = select_top (high) - low_upper;
          select_edges edges = {};
          int count = 0;
          auto look = [&] (bool all) {
#pragma unroll
            for (int e = 0; e < EACH; e++)
              {
                edges.below += select_top (keys[e]) < low_upper;
                if (select_top (keys[e]) - low_upper <= span && (all || (there >> e & 1)))
                  near[32 * count++] = keys[e];
              }
          };
          if (full)
            look (true);
          else
            look (false);
          const int kept = select_take_near (near, count, low, high, &edges, kept_keys + b * GPR_SELECT_KEPT, between.kept[warp][b],
                                             select_list<K> (a, a.level, p.query + b), room, &brackets[b].inside);
          const bool at_edges = __any_sync (SELECT_ALL, edges.at_low | edges.at_high);
          edges.below = select_warp_sum (edges.below);
          if (at_edges)
            {
              edges.at_low = select_warp_sum (edges.at_low);
              edges.at_high = select_warp_sum (edges.at_high);
            }
          __syncwarp ();        /* all have read kept */
          if (lane == 0)
            {
              between.kept[warp][b] = kept;
              between.below[warp][b] += edges.below;
              if (at_edges)
                {
                  between.at_low[warp][b] += edges.at_low;
                  between.at_high[warp][b] += edges.at_high;
                }
            }
        }
      __syncwarp ();
    }
  for (int b = 0; b < p.results; b++)
    if (between.kept[warp][b])
      select_write_kept (kept_keys + b * GPR_SELECT_KEPT, between.kept[warp][b], select_list<K> (a, a.level, p.query + b), room, &brackets[b].inside);
  nans = select_warp_sum (nans);
  if (lane == 0)
    between.nans[warp] = nans;
  __syncthreads ();
  if ((int) threadIdx.x < p.results)
    {
      const int b = threadIdx.x;
      unsigned long long below = 0, at_low = 0, at_high = 0, no = 0;
      for (int w = 0; w < SELECT_WARPS; w++)
        {
          below += between.below[w][b];
          at_low += between.at_low[w][b];
          at_high += between.at_high[w][b];
          no += between.nans[w];
        }
      if (below)
        atomicAdd (&brackets[b].below, below);
      if (at_low)
        atomicAdd (&brackets[b].at_low, at_low);
      if (at_high && between.low[b] != between.high[b])
        atomicAdd (&brackets[b].at_high, at_high);
      if (b == 0 && no)
        atomicAdd (&a.nans[p.query / p.results], no);
    }
  __syncthreads ();
}

/* ---- kernels ---------------------------------------------------------------------------------- */

/* Whether a query of these columns is left; all are in the first try.  */
static __device__ __forceinline__ bool select_wanted (const gpr_select_args &a, int64_t query, int queries)
{
  bool wanted = a.seed == 1;
  for (int i = 0; i < queries && ! wanted; i++)
    wanted = ! a.done[query + i];
  return wanted;
}

/* Columns of which no other lies beside.  */
template <class S, class K>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS, 3) divide_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ select_between<K> between;
  GPR_SELECT_MEMORY (memory);

  for (int64_t work = blockIdx.x; work < a.inner * a.outers * a.pieces; work += gridDim.x)
    {
      const int64_t column = work / a.pieces;
      const select_part<S> p = { (const S *) a.x + select_offset (a, column), a.row_stride, a.length, column * a.results, 1, a.results, false };
      if (select_wanted (a, p.query, a.results))
        select_divide<S, K> (a, p, work - column * a.pieces, between, (K *) memory);
    }
}

template <class S, class K>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS, 3) divide_columns_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ select_counts<K> counts;
  const int64_t bands = (a.inner + a.width - 1) / a.width, parts = bands * a.outers;

  for (int64_t work = blockIdx.x; work < parts * a.pieces; work += gridDim.x)
    {
      const int64_t part = work / a.pieces, o = part / bands, c = (part - o * bands) * a.width;
      const int width = a.inner - c < a.width ? (int) (a.inner - c) : a.width;
      const select_part<S> p = { (const S *) a.x + o * a.outer_stride + c, a.row_stride, a.length, (o * a.inner + c) * a.results, width, a.results, false };
      if (select_wanted (a, p.query, width * a.results))
        select_divide_columns<S, K> (a, p, work - part * a.pieces, counts);
    }
}

/* The lists of the level before.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS, 3) divide_list_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ select_between<K> between;
  GPR_SELECT_MEMORY (memory);

  for (int64_t work = blockIdx.x; work < a.queries * a.pieces; work += gridDim.x)
    {
      const int64_t query = work / a.pieces;
      const gpr_select_bracket *b = a.brackets + a.level * a.queries + query;
      if (b->passes)
        continue;
      const select_part<K> p = { select_list<K> (a, a.level - 1, query), 1, b->count, query, 1, 1, true };
      select_divide<K, K> (a, p, work - query * a.pieces, between, (K *) memory);
    }
}

#endif
