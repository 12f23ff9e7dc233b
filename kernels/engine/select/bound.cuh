/* Longer columns: a sample bounds the elements wanted, one reading counts what is outside of the bounds and takes the
   keys between them to a list (divide.cuh), with which the same is done again until shared memory holds it.  A
   sample may mislead: then the host tries another one for what is not done.  */

#ifndef GPR_SELECT_BOUND_CUH
#define GPR_SELECT_BOUND_CUH

static __device__ __forceinline__ u64 select_hash (u64 x)
{
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

/* What is left to find of a query, once its data of the level before have been divided.  */
struct select_rest { gpr_select_bracket b; gpr_select_place at; bool none; };

/* Place i of the data that b divides.  */
static __device__ __forceinline__ void select_find (select_rest *r, const gpr_select_bracket &b, int i, int64_t room)
{
  if (b.found[i])
    return;
  int64_t place = b.want[i] - (int64_t) b.below;
  if (place < 0 || place >= (int64_t) (b.at_low + b.inside + b.at_high))
    r->b.missed = true;
  else if (place < (int64_t) b.at_low || (place -= (int64_t) (b.at_low + b.inside)) >= 0)
    {
      r->b.found[i] = true;
      r->b.key[i] = b.want[i] - (int64_t) b.below < (int64_t) b.at_low ? b.low : b.high;
    }
  else
    {
      r->b.want[i] = place + (int64_t) b.inside;
      if ((int64_t) b.inside > room)
        r->b.missed = true;
    }
}

static __device__ __forceinline__ select_rest select_resolve (const gpr_select_args &a, int64_t query)
{
  const int before = a.level - 1;
  const gpr_select_bracket b = a.brackets[before * a.queries + query];
  select_rest r = { b, {}, false };

  if (before == 0)
    {
      r.none = ! select_place (a, (int) (query % a.results), a.length - (i64) a.nans[query / a.results], &r.at);
      r.b.want[0] = r.at.low;
      r.b.want[1] = r.at.high;
    }
  if (r.none || b.passes)
    return r;
  gpr_select_bracket from = b;
  for (int i = 0; i < 2; i++)
    {
      from.want[i] = r.b.want[i];
      select_find (&r, from, i, a.room[before % 2]);
    }
  r.b.count = (int64_t) b.inside;
  r.b.list = before;
  r.b.below = r.b.at_low = r.b.at_high = r.b.inside = 0;
  return r;
}

template <class K> static __device__ __forceinline__ K *select_list (const gpr_select_args &a, int level, int64_t query)
{
  return (K *) a.lists[level % 2] + query * a.room[level % 2];
}

/* ---- bounds from a sample ----------------------------------------------------------------------- */

template <class S, class K>
static __device__ __forceinline__ void select_draw (const gpr_select_args &a, K *keys, const S *x, int64_t stride, int64_t n, u64 seed, K center, bool of_list)
{
  int digits = 0;
  while (1 << digits < a.sample)
    digits++;
#pragma unroll 8
  for (int i = threadIdx.x; i < a.sample; i += blockDim.x)
    {
      const u64 from = (u64) n * i >> digits, to = (u64) n * (i + 1) >> digits;
      const S bits = x[(int64_t) (from + ((select_hash (seed + i) >> 32) * (to - from) >> 32)) * stride];
      keys[i] = of_list ? (K) bits : select_key (a, (K) bits, center);
    }
}

template <class K>
static __device__ __forceinline__ void select_bound (const gpr_select_args &a, const select_team<false, K> &team, const K *keys,
                                                     const select_look &look, double least, double most, gpr_select_bracket *b)
{
  const int numbers = a.sample - (int) look.nans;
  const double from = floor (least * numbers - a.sigmas * sqrt (least * (1 - least) * numbers) - 2);
  const double to = ceil (most * numbers + a.sigmas * sqrt (most * (1 - most) * numbers) + 2);
  b->low = from >= 0 && from < numbers ? team.select (keys, a.sample, look, (unsigned) from, false).low : 0;
  b->high = to < numbers ? team.select (keys, a.sample, look, (unsigned) to, false).low : (K) ~(K) 0;
}

/* The brackets of a column's queries, or of one query's list.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_THREADS) sample_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const select_team<false, K> team = select_team<false, K>::of (raw);
  K *keys = (K *) (raw + GPR_SELECT_BLOCK_BYTES);
  gpr_select_bracket *brackets = a.brackets + a.level * a.queries;

  for (int64_t u = blockIdx.x; u < (a.level ? a.queries : a.inner * a.outers); u += gridDim.x)
    if (a.level > 0)
      {
        select_rest r = select_resolve (a, u);
        r.b.passes |= r.none || r.b.missed || (r.b.found[0] && r.b.found[1]) || r.b.count <= a.fit;
        if (r.b.missed && threadIdx.x == 0)
          *a.failed = 1;
        if (! r.b.passes)
          {
            select_draw (a, keys, select_list<K> (a, r.b.list, u), 1, r.b.count, a.seed ^ select_hash (u + 1), (K) 0, true);
            __syncthreads ();
            const int64_t least = r.b.want[r.b.found[0] ? 1 : 0], most = r.b.want[r.b.found[1] ? 0 : 1];
            select_bound (a, team, keys, team.look (keys, a.sample, false), (double) least / r.b.count, (double) (most + 1) / r.b.count, &r.b);
          }
        if (threadIdx.x == 0)
          brackets[u] = r.b;
        __syncthreads ();
      }
    else
      {
        const u64 seed = a.seed ^ select_hash (u + 1);
        const int64_t at = select_offset (a, u);
        const K center = select_center<K> (a, u);
        if (sizeof (K) == 8)
          select_draw (a, keys, (const u64 *) a.x + at, a.row_stride, a.length, seed, center, false);
        else if (a.bytes == 4)
          select_draw (a, keys, (const u32 *) a.x + at, a.row_stride, a.length, seed, center, false);
        else if (a.bytes == 2)
          select_draw (a, keys, (const u16 *) a.x + at, a.row_stride, a.length, seed, center, false);
        else
          select_draw (a, keys, (const u8 *) a.x + at, a.row_stride, a.length, seed, center, false);
        __syncthreads ();
        const select_look look = team.look (keys, a.sample, select_floating (a));
        for (int k = 0; k < a.results; k++)
          {
            const double p = a.method == 0 ? 0.5 : a.p[k];
            gpr_select_bracket b = {};
            b.passes = a.done[u * a.results + k];
            if (p >= 0 && p <= 1 && ! b.passes)
              select_bound (a, team, keys, look, p, p, &b);
            if (threadIdx.x == 0)
              brackets[u * a.results + k] = b;
          }
        __syncthreads ();
      }
}

/* ---- what is left -------------------------------------------------------------------------------- */

template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_THREADS) finish_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const select_team<false, K> team = select_team<false, K>::of (raw);
  K *keys = (K *) (raw + GPR_SELECT_BLOCK_BYTES);

  for (int64_t q = blockIdx.x; q < a.queries; q += gridDim.x)
    {
      const int64_t column = q / a.results;
      const int k = (int) (q % a.results), n_all = a.fit;
      select_rest r = select_resolve (a, q);
      gpr_select_place at;
      if (a.done[q])
        continue;
      if (! select_place (a, k, a.length - (i64) a.nans[column], &at))
        {
          if (threadIdx.x == 0)
            select_put_none (a, column, k);
          continue;
        }
      const bool all_found = r.b.found[0] && r.b.found[1];
      if (r.b.missed || (! all_found && r.b.count > n_all))
        {
          if (threadIdx.x == 0)
            *a.failed = 1;
          continue;
        }
      K key[2] = { (K) r.b.key[0], (K) r.b.key[1] };
      if (! all_found)
        {
          const int n = (int) r.b.count, first = r.b.found[0] ? 1 : 0;
          const bool two = ! r.b.found[0] && ! r.b.found[1] && r.b.want[1] > r.b.want[0];
          const K *list = select_list<K> (a, r.b.list, q);
          for (int i = threadIdx.x; i < n; i += blockDim.x)
            keys[i] = list[i];
          __syncthreads ();
          const select_two<K> found = team.select (keys, n, team.look (keys, n, false), (unsigned) r.b.want[first], two);
          if (! r.b.found[0])
            key[0] = found.low;
          if (! r.b.found[1])
            key[1] = two ? found.high : found.low;
        }
      __syncthreads ();         /* all have looked at done */
      if (threadIdx.x == 0)
        {
          select_put (a, column, k, at, key[0], key[1]);
          a.done[q] = 1;
        }
      __syncthreads ();
    }
}

#endif
