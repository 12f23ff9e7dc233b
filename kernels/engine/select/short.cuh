/* Columns that shared memory holds: a thread sorts one by a network, or some threads a part each, or a warp or a block selects.  */

#ifndef GPR_SELECT_SHORT_CUH
#define GPR_SELECT_SHORT_CUH

/* Place k of sorted words.  */
template <int N> static __device__ __forceinline__ u32 select_at (const u32 (&words)[N], int k)
{
  u32 word = words[0];
#pragma unroll
  for (int i = 1; i < N; i++)
    word = i == k ? words[i] : word;
  return word;
}

/* The keys of two neighbouring places, or of one, of a thread's column, of which these are the first words: the greatest of those with low's and the least
   of those with high's.  False: the words are the same, and the keys not.  */
template <int N, class K>
static __device__ __forceinline__ bool select_of_words (const K *mine, int n, u32 low_word, u32 high_word, select_two<K> *two)
{
  enum { REST = 8 * sizeof (K) - 32 };
  u32 most = 0, least = ~0u;
#pragma unroll
  for (int i = 0; i < N; i++)
    if (i < n && REST > 0)
      {
        const K key = mine[i];
        most = select_top (key) == low_word ? max (most, (u32) key) : most;
        least = select_top (key) == high_word ? min (least, (u32) key) : least;
      }
  *two = { REST > 0 ? (K) low_word << REST | most : (K) low_word, REST > 0 ? (K) high_word << REST | least : (K) high_word };
  return REST == 0 || low_word != high_word || least == most;
}

/* Results of a thread's column, from its keys' words alone: the first ones are sorted, and the second ones of those keys where the first do not tell.
   MIDDLE: words below and above its own bring the median to the middle of N, so that the compiler leaves out of the network what it does not hang on.  */
template <bool MIDDLE, int N, class K>
static __device__ __forceinline__ void select_by_words (const gpr_select_args &a, const K *mine, int numbers, bool has, int64_t column)
{
  enum { REST = 8 * sizeof (K) - 32 };
  const int n = (int) a.length, below = MIDDLE ? (N - n) / 2 : 0;
  u32 word[N];
  bool sorted = false;

  for (int r = 0; r < (MIDDLE ? 1 : a.results); r++)
    {
      gpr_select_place at = gpr_select_median (n);
      const bool is = MIDDLE || select_place (a, r, numbers, &at), one = ! is || at.low == at.high;
      auto low = [&] { return MIDDLE ? word[N / 2 - 1] : select_at (word, is ? (int) at.low : 0); };
      auto high = [&] { return one ? low () : MIDDLE ? word[N / 2] : select_at (word, (int) at.high); };
      if (! sorted)
        {
#pragma unroll
          for (int i = 0; i < N; i++)
            word[i] = i >= below && i < below + n ? select_top (mine[i - below]) : i < below ? 0 : ~0u;
          select_network (word);
          sorted = true;
        }
      const u32 first = low ();
      select_two<K> two;
      const bool same = ! select_of_words<N> (mine, n, first, high (), &two) && has && is;
      if (REST > 0 && __any_sync (SELECT_ALL, same))
        {
#pragma unroll
          for (int i = 0; i < N; i++)
            if (i >= below && i < below + n)
              {
                const K key = mine[i - below];
                word[i] = select_top (key) == first ? (u32) key : select_top (key) < first ? 0 : ~0u;
              }
            else
              word[i] = i < below ? 0 : ~0u;
          select_network (word);
          sorted = false;
          if (same)
            two = { two.low >> REST << REST | low (), two.high >> REST << REST | high () };
        }
      if (has && is)
        select_put (a, column, r, at, two.low, two.high);
      else if (has)
        select_put_none (a, column, r);
    }
}

/* Results of a thread's column, whose keys it sorts.  idle: some threads of the block have none.  */
template <int N, class K>
static __device__ __forceinline__ void select_by_keys (const gpr_select_args &a, K *mine, int numbers, bool has, bool idle, int64_t column)
{
  const int n = (int) a.length;
  K k[N];
#pragma unroll
  for (int i = 0; i < N; i++)
    k[i] = i < n ? mine[i] : (K) ~(K) 0;
  select_network (k);
  if (idle)                     /* threads without a column read the first one, since a branch around all this would take longer */
    __syncthreads ();
  if (! has)
    return;
#pragma unroll
  for (int i = 0; i < N; i++)
    if (i < n)
      mine[i] = k[i];
  for (int r = 0; r < a.results; r++)
    {
      gpr_select_place at;
      if (select_place (a, r, numbers, &at))
        select_put (a, column, r, at, mine[at.low], mine[at.high]);
      else
        select_put_none (a, column, r);
    }
}

/* Blocks of a multiprocessor, so that loads of some are on their way while others sort.  */
#define GPR_SELECT_NETWORK_BLOCKS(bytes, n) ((n) <= 8 ? 6 : (n) <= 16 ? 7 : (n) <= 24 ? (bytes) == 8 ? 6 : 7 : (n) <= 32 ? (bytes) == 8 ? 5 : 6 : (n) <= 40 ? 5 : (bytes) == 8 ? 3 : 4)

/* Up to N elements, a thread for each column.  */
template <class K, int N>
static __global__ void __launch_bounds__ (GPR_SELECT_SHORT_THREADS, GPR_SELECT_NETWORK_BLOCKS (sizeof (K), N)) networks_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int n = (int) a.length;

  for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
    {
      const select_columns<K> c = select_fetch<SELECT_TURNED, K, N <= 8> (a, raw, g);
      const bool has = threadIdx.x < c.count;
      const int64_t column = c.first + threadIdx.x;
      K *mine = c.keys + (has ? threadIdx.x : 0) * a.pitch;
      const int numbers = n - (c.extreme && has ? (int) select_settle (a, mine, 0, n, 1) : 0);
      const bool all_are = ! (c.extreme && __syncthreads_or (numbers < n));
      if (a.method == 0 && all_are)
        select_by_words<true, N> (a, mine, n, has, column);
      else if (sizeof (K) == 8 && N > 32)       /* more keys would take more registers than there are */
        select_by_words<false, N> (a, mine, numbers, has, column);
      else
        select_by_keys<N> (a, mine, numbers, has, c.count < GPR_SELECT_SHORT_THREADS, column);
      __syncthreads ();
    }
}

/* ---- a column of sorted parts ---------------------------------------------------------------- */

/* The keys of place want of all and of the next one.  Each thread has a part, mine, of count sorted keys, and knows which of them may be wanted, from
   `from' to before `to'; in turn the middle of the part with most of these is looked for in all.  Of equal keys those of earlier parts come first.  */
template <class K>
static __device__ __forceinline__ void select_of_parts (const K *mine, int p, int count, bool wanted, int want, K *low, K *high)
{
  const int first = threadIdx.x % 32 - p;
  int from = 0, to = count, next = 0;

  while (__ballot_sync (SELECT_ALL, wanted))
    {
      const int half = from < to ? (from + to) / 2 : 0;
      int most = (to - from) * 32 + p;
      for (int d = 1; d < GPR_SELECT_PARTS_OF_COLUMN; d *= 2)
        {
          const int other = __shfl_xor_sync (SELECT_ALL, most, d);
          most = other > most ? other : most;
        }
      const int who = most % 32;
      const K key = __shfl_sync (SELECT_ALL, from < to ? mine[half] : (K) 0, first + who);        /* who has some; threads without a column have none */
      int before = from, end = to;
      if (p == who)
        before = end = half;
      while (before < end)
        {
          const int middle = (before + end) / 2;
          if (mine[middle] < key || (p < who && mine[middle] == key))
            before = middle + 1;
          else
            end = middle;
        }
      int place = before;
      for (int d = 1; d < GPR_SELECT_PARTS_OF_COLUMN; d *= 2)
        place += __shfl_xor_sync (SELECT_ALL, place, d);
      if (! wanted)
        continue;
      if (place <= want)
        from = next = before + (p == who);
      else
        to = before;
      if (place == want)
        {
          *low = key;
          wanted = false;
        }
    }
  K least = next < count ? mine[next] : (K) ~(K) 0;
  for (int d = 1; d < GPR_SELECT_PARTS_OF_COLUMN; d *= 2)
    {
      const K other = __shfl_xor_sync (SELECT_ALL, least, d);
      least = other < least ? other : least;
    }
  *high = least;
}

/* Each part has some.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_SHORT_THREADS) parts_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  enum { N = GPR_SELECT_PART, PARTS = GPR_SELECT_PARTS_OF_COLUMN };
  const int p = threadIdx.x % PARTS, column = threadIdx.x / PARTS, left = (int) a.length - p * a.part, own = left < a.part ? left : a.part;

  for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
    {
      const select_columns<K> c = select_fetch<SELECT_KEYS, K> (a, raw, g);
      const bool has = column < c.count;
      K *mine = c.keys + (has ? column : 0) * a.pitch + p * a.part;
      int count = has ? own : 0;
      if (has)
        {
          K k[N];
#pragma unroll
          for (int i = 0; i < N; i++)
            k[i] = i < own ? mine[i] : (K) ~(K) 0;
          select_network (k);
#pragma unroll
          for (int i = 0; i < N; i++)
            if (i < own)
              mine[i] = k[i];
          while (select_floating (a) && count > 0 && mine[count - 1] == (K) ~(K) 0)
            count--;
        }
      __syncwarp ();            /* a column's threads are of one warp */
      int numbers = count;
      for (int d = 1; d < GPR_SELECT_PARTS_OF_COLUMN; d *= 2)
        numbers += __shfl_xor_sync (SELECT_ALL, numbers, d);
      for (int r = 0; r < a.results; r++)
        {
          gpr_select_place at;
          K low, high;
          const bool is = select_place (a, r, numbers, &at);
          select_of_parts (mine, p, count, has && is, (int) at.low, &low, &high);
          if (has && p == 0 && is)
            select_put (a, c.first + column, r, at, low, at.high > at.low ? high : low);
          else if (has && p == 0)
            select_put_none (a, c.first + column, r);
        }
      __syncthreads ();
    }
}

/* ---- longer ones ------------------------------------------------------------------------------- */

/* A column's results.  MEDIAN: there is no quantile among them.  count: of keys, with those of registers that are left over (held.cuh).  */
template <bool MEDIAN, bool WARP, class K, class KEYS>
static __device__ __forceinline__ void select_column (const gpr_select_args &a, const select_team<WARP, K> &team, const KEYS &keys, int count,
                                                      const select_look &look, int64_t column)
{
  const int numbers = (int) a.length - (int) look.nans;
  for (int r = 0; r < (MEDIAN ? 1 : a.results); r++)
    {
      gpr_select_place at;
      if (! (MEDIAN ? select_place_of_median (a, numbers, &at) : select_place (a, r, numbers, &at)))
        {
          if (team.t == 0)
            select_put_none (a, column, r);
          continue;
        }
      const select_two<K> two = team.select (keys, count, look, (unsigned) at.low, at.high > at.low);
      if (team.t == 0)
        select_put (a, column, r, at, two.low, at.high > at.low ? two.high : two.low);
    }
}

template <bool WARP, class K>
static __global__ void __launch_bounds__ (WARP ? GPR_SELECT_WARPS_THREADS : GPR_SELECT_THREADS, WARP ? 4 : 2) columns_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int teams = WARP ? blockDim.x / 32 : 1;
  const select_team<WARP, K> team = select_team<WARP, K>::of (raw);

  if (a.inner == 1)             /* each column as it lies, without waiting for the others */
    {
      const int mine = WARP ? threadIdx.x / 32 : 0;
      K *keys = (K *) (raw + teams * team.BYTES) + mine * a.pitch;
      for (int64_t column = (int64_t) blockIdx.x * teams + mine; column < a.outers; column += (int64_t) gridDim.x * teams)
        {
          const select_look look = select_fetch_own (a, team, column, keys);
          team.sync ();
          select_column<false> (a, team, keys, (int) a.length, look, column);
          team.sync ();
        }
    }
  else
    for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
      {
        const select_columns<K> c = select_fetch<SELECT_KEYS, K> (a, raw + teams * team.BYTES, g);
        for (int i = WARP ? threadIdx.x / 32 : 0; i < c.count; i += teams)
          {
            const K *keys = c.keys + i * a.pitch;
            select_column<false> (a, team, keys, (int) a.length, team.look (keys, (int) a.length, select_floating (a)), c.first + i);
          }
        __syncthreads ();
      }
}

#endif
