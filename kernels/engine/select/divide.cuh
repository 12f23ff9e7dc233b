/* The one reading of longer columns: what is below, at and between the bounds.  */

#ifndef GPR_SELECT_DIVIDE_CUH
#define GPR_SELECT_DIVIDE_CUH

/* The columns, or the list, that a block divides, and which of their rows.  */
template <class S> struct select_part { const S *x; int64_t stride, rows, query; int width, results; bool of_list; };

/* A block's counts, [column][result].  */
template <int B> struct select_counts { unsigned inside[GPR_SELECT_WIDTH * B], totals[GPR_SELECT_WIDTH * B * 4]; unsigned long long bases[GPR_SELECT_WIDTH * B]; };

/* What a thread has counted of its column for one result, and its keys between the bounds, as bits.  */
template <class K> struct select_tally { K low, high; unsigned below, at_low, at_high, inside, at; };

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

template <class K>
static __device__ __forceinline__ void select_count (select_tally<K> *t, const K *keys, unsigned there)
{
  t->inside = 0;
#pragma unroll
  for (int e = 0; e < GPR_SELECT_EACH; e++)
    if (there >> e & 1)
      {
        t->below += keys[e] < t->low;
        t->at_low += keys[e] == t->low;
        t->at_high += keys[e] == t->high;
        t->inside |= (unsigned) (keys[e] > t->low && keys[e] < t->high) << e;
      }
}

/* Room for n things in a block's count; where it begins.  All threads of a warp come, of one column they do
   it together.  */
static __device__ __forceinline__ unsigned select_reserve (unsigned *count, unsigned n, bool together)
{
  if (! together)
    return n ? atomicAdd (count, n) : 0;
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

template <class K>
static __device__ __forceinline__ void select_write (const select_tally<K> &t, const K *keys, K *list, int64_t base, int64_t room)
{
#pragma unroll
  for (int e = 0; e < GPR_SELECT_EACH; e++)
    {
      const int64_t to = base + __popc (t.inside & ((1u << e) - 1));
      if ((t.inside >> e & 1) && to < room)
        list[to] = keys[e];
    }
}

/* The block's counts to the brackets.  */
template <class S, class K, int B>
static __device__ __forceinline__ void select_report (const gpr_select_args &a, const select_part<S> &p, gpr_select_bracket *brackets,
                                                      const select_tally<K> *t, unsigned nans, int w, bool here, select_counts<B> &counts)
{
#pragma unroll
  for (int b = 0; b < B; b++)
    if (here && b < p.results)
      {
        const unsigned values[4] = { t[b].below, t[b].at_low, t[b].low == t[b].high ? 0 : t[b].at_high, b == 0 ? nans : 0 };
        for (int i = 0; i < 4; i++)
          if (values[i])
            atomicAdd (&counts.totals[(w * B + b) * 4 + i], values[i]);
      }
  __syncthreads ();
  for (int i = threadIdx.x; i < p.width * B * 4; i += blockDim.x)
    if (counts.totals[i])
      {
        const int column = i / 4 / B;
        gpr_select_bracket *to = brackets + column * p.results + i / 4 % B;
        unsigned long long *field = i % 4 == 0 ? &to->below : i % 4 == 1 ? &to->at_low : i % 4 == 2 ? &to->at_high : &a.nans[p.query / p.results + column];
        atomicAdd (field, (unsigned long long) counts.totals[i]);
      }
  __syncthreads ();
}

/* B: most results.  */
template <class S, class K, int B>
static __device__ __forceinline__ void select_divide (const gpr_select_args &a, const select_part<S> &p, int64_t piece, select_counts<B> &counts)
{
  const int steps = blockDim.x / p.width, step = threadIdx.x / p.width, w = threadIdx.x - step * p.width;
  const bool here = step < steps, looks = ! p.of_list && select_floating (a);
  const int64_t turn = (int64_t) steps * GPR_SELECT_EACH;
  gpr_select_bracket *brackets = a.brackets + a.level * a.queries + p.query;
  const K center = p.of_list ? 0 : select_center<K> (a, p.query / p.results + (here ? w : 0));
  select_tally<K> t[B] = {};
  unsigned nans = 0;

  for (int i = threadIdx.x; i < GPR_SELECT_WIDTH * B * 4; i += blockDim.x)
    {
      counts.totals[i] = 0;
      counts.inside[i / 4] = 0;
    }
#pragma unroll
  for (int b = 0; b < B; b++)
    if (here && b < p.results)
      {
        t[b].low = (K) brackets[w * p.results + b].low;
        t[b].high = (K) brackets[w * p.results + b].high;
      }
  __syncthreads ();
  for (int64_t from = piece * turn; from < p.rows; from += a.pieces * turn)
    {
      K keys[GPR_SELECT_EACH];
      const unsigned there = select_read (a, p, p.x + w + (from + step) * p.stride, steps, here ? p.rows - from - step : 0, center, keys);
      if (looks)
#pragma unroll
        for (int e = 0; e < GPR_SELECT_EACH; e++)
          nans += (there >> e & 1) && keys[e] == (K) ~(K) 0;
#pragma unroll
      for (int b = 0; b < B; b++)
        if (b < p.results)
          {
            select_count (&t[b], keys, there);
            t[b].at = select_reserve (&counts.inside[w * B + b], (unsigned) __popc (t[b].inside), p.width == 1);
          }
      __syncthreads ();
      for (int i = threadIdx.x; i < p.width * B; i += blockDim.x)
        if (counts.inside[i])
          {
            counts.bases[i] = atomicAdd (&brackets[i / B * p.results + i % B].inside, (unsigned long long) counts.inside[i]);
            counts.inside[i] = 0;
          }
      __syncthreads ();
#pragma unroll
      for (int b = 0; b < B; b++)
        if (b < p.results && t[b].inside)
          select_write (t[b], keys, select_list<K> (a, a.level, p.query + w * p.results + b), (int64_t) counts.bases[w * B + b] + t[b].at, a.room[a.level % 2]);
    }
  select_report<S, K, B> (a, p, brackets, t, nans, w, here, counts);
}

/* Whether a query of these columns is left; all are in the first try.  */
static __device__ __forceinline__ bool select_wanted (const gpr_select_args &a, int64_t query, int queries)
{
  bool wanted = a.seed == 1;
  for (int i = 0; i < queries && ! wanted; i++)
    wanted = ! a.done[query + i];
  return wanted;
}

template <class S, class K, int B>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS, B > 1 ? 1 : sizeof (K) == 8 ? 2 : 3) divide_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ select_counts<B> counts;
  const int64_t bands = (a.inner + a.width - 1) / a.width, parts = bands * a.outers;

  for (int64_t work = blockIdx.x; work < parts * a.pieces; work += gridDim.x)
    {
      const int64_t part = work / a.pieces, o = part / bands, c = (part - o * bands) * a.width;
      const int width = a.inner - c < a.width ? (int) (a.inner - c) : a.width;
      const select_part<S> p = { (const S *) a.x + o * a.outer_stride + c, a.row_stride, a.length, (o * a.inner + c) * a.results, width, a.results, false };
      if (select_wanted (a, p.query, width * a.results))
        select_divide<S, K, B> (a, p, work - part * a.pieces, counts);
    }
}

/* The lists of the level before.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS) divide_list_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ select_counts<1> counts;

  for (int64_t work = blockIdx.x; work < a.queries * a.pieces; work += gridDim.x)
    {
      const int64_t query = work / a.pieces;
      const gpr_select_bracket *b = a.brackets + a.level * a.queries + query;
      if (b->passes)
        continue;
      const select_part<K> p = { select_list<K> (a, a.level - 1, query), 1, b->count, query, 1, 1, true };
      select_divide<K, K, 1> (a, p, work - query * a.pieces, counts);
    }
}

#endif
