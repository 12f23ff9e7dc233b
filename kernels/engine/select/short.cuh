/* Columns that shared memory holds: a thread sorts one by a network, or some threads a part each, or a warp or a block selects.  */

#ifndef GPR_SELECT_SHORT_CUH
#define GPR_SELECT_SHORT_CUH

/* The median of a thread's column, if no column of the block has a NaN.  Keys below and above its own bring it to the middle of N, so that the compiler
   leaves out of the network what the middle does not hang on.  */
template <class K, int N>
static __device__ __forceinline__ bool select_middle (const gpr_select_args &a, const select_columns<K> &c)
{
  const int n = (int) a.length, below = (N - n) / 2;
  const bool has = threadIdx.x < c.count;
  const K *mine = c.keys + threadIdx.x * a.pitch - below;
  K k[N];
  u32 most = 0;                 /* of the keys' first words; of a NaN's alone all bits are set */

#pragma unroll
  for (int i = 0; i < N; i++)
    {
      const bool own = has && i >= below && i < below + n;
      k[i] = own ? mine[i] : i < below ? (K) 0 : (K) ~(K) 0;
      const u32 word = (u32) (k[i] >> (8 * sizeof (K) - 32));
      most = own && word > most ? word : most;
    }
  if (__syncthreads_or (select_floating (a) && most == ~0u))
    return false;
  if (has)
    {
      select_network (k);
      select_put (a, c.first + threadIdx.x, 0, gpr_select_median (n), k[N / 2 - 1], n % 2 ? k[N / 2 - 1] : k[N / 2]);
    }
  return true;
}

/* Up to N elements, a thread for each column.  */
template <class K, int N>
static __global__ void __launch_bounds__ (GPR_SELECT_SHORT_THREADS) networks_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int n = (int) a.length;

  for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
    {
      const select_columns<K> c = select_fetch<false, K> (a, raw, g);
      if (a.method == 0 && select_middle<K, N> (a, c))
        continue;
      if (threadIdx.x < c.count)
        {
          K *mine = c.keys + threadIdx.x * a.pitch, k[N];
          int numbers = n;
#pragma unroll
          for (int i = 0; i < N; i++)
            k[i] = i < n ? mine[i] : (K) ~(K) 0;
          select_network (k);
#pragma unroll
          for (int i = 0; i < N; i++)
            if (i < n)
              mine[i] = k[i];
          while (select_floating (a) && numbers > 0 && mine[numbers - 1] == (K) ~(K) 0)
            numbers--;
          for (int r = 0; r < a.results; r++)
            {
              gpr_select_place at;
              if (select_place (a, r, numbers, &at))
                select_put (a, c.first + threadIdx.x, r, at, mine[at.low], mine[at.high]);
              else
                select_put_none (a, c.first + threadIdx.x, r);
            }
        }
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
      const K key = __shfl_sync (SELECT_ALL, mine[half], first + who);
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
      const select_columns<K> c = select_fetch<false, K> (a, raw, g);
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

template <bool WARP, class K>
static __device__ __forceinline__ void select_column (const gpr_select_args &a, const select_team<WARP, K> &team, const K *keys,
                                                      const select_look<K> &look, int64_t column)
{
  const int n = (int) a.length;
  for (int r = 0; r < a.results; r++)
    {
      gpr_select_place at;
      K low, high;
      if (! select_place (a, r, n - (int) look.nans, &at))
        {
          if (team.t == 0)
            select_put_none (a, column, r);
          continue;
        }
      team.select (keys, n, look, (unsigned) at.low, at.high > at.low, &low, &high);
      if (team.t == 0)
        select_put (a, column, r, at, low, at.high > at.low ? high : low);
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
          const select_look<K> look = select_fetch_own (a, team, column, keys);
          team.sync ();
          select_column (a, team, keys, look, column);
          team.sync ();
        }
    }
  else
    for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
      {
        const select_columns<K> c = select_fetch<false, K> (a, raw + teams * team.BYTES, g);
        for (int i = WARP ? threadIdx.x / 32 : 0; i < c.count; i += teams)
          {
            const K *keys = c.keys + i * a.pitch;
            select_column (a, team, keys, team.look (keys, (int) a.length, select_floating (a)), c.first + i);
          }
        __syncthreads ();
      }
}

#endif
