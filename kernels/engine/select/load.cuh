/* Keys of a block's columns, to shared memory: column i at keys + i * pitch.  */

#ifndef GPR_SELECT_LOAD_CUH
#define GPR_SELECT_LOAD_CUH

/* A slab is read as it lies, other columns row after row.  extreme, of SELECT_TURNED: keys of infinities or NaN's may be among them.  */
template <class K> struct select_columns { K *keys; int64_t *offsets; K *centers; int64_t first; int count; bool extreme; };

static __device__ __forceinline__ int select_over (int i, const gpr_select_divider &d)
{
  return (int) ((u64) (u32) i * d.by >> d.shift);
}

/* The place of element i of all: where it goes, and where it lies from the slab.  */
static __device__ __forceinline__ void select_split (const gpr_select_args &a, int i, int *column, int *row)
{
  if (! a.slab)
    {
      *row = select_over (i, a.by_group);
      *column = i - *row * a.group;
    }
  else if (a.inner == 1)
    {
      *column = select_over (i, a.by_length);
      *row = i - *column * (int) a.length;
    }
  else
    {
      const int inner = (int) a.inner, o = select_over (i, a.by_slab), rest = i - o * inner * (int) a.length;
      *row = select_over (rest, a.by_inner);
      *column = o * inner + rest - *row * inner;
    }
}

/* TURNED: keys but for NaN; RANK: of a ranking.  */
enum select_kind { SELECT_TURNED, SELECT_KEYS, SELECT_RANK };
template <select_kind WHICH, class K>
static __device__ __forceinline__ K select_key_of (const gpr_select_args &a, K bits)
{
  return WHICH == SELECT_RANK ? select_rank_key (a, bits) : WHICH == SELECT_TURNED ? select_turned (a, bits) : select_key (a, bits);
}
template <select_kind WHICH, class K>
static __device__ __forceinline__ K select_key_of (const gpr_select_args &a, K bits, K center)
{
  if (WHICH != SELECT_RANK && a.center)
    (void) select_distance (bits, center, &bits);
  return select_key_of<WHICH> (a, bits);
}

/* How far the keys reach, or some number.  */
template <select_kind WHICH, class S, class K>
static __device__ __forceinline__ u32 select_load (const gpr_select_args &a, const select_columns<K> &c)
{
  enum { EACH = 8 };
  const int all = (a.slab ? c.count : a.group) * (int) a.length;
  const S *slab = (const S *) a.x + (a.slab ? c.first * a.length : 0);
  u32 reach = 0;

  for (int from = threadIdx.x; from < all; from += EACH * blockDim.x)
    {
      S x[EACH];
      int at[EACH];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        {
          const int i = from + e * blockDim.x;
          int column, row;
          select_split (a, i, &column, &row);
          at[e] = i < all && column < c.count ? column * a.pitch + row : -1;
          if (at[e] >= 0)
            x[e] = a.slab ? slab[i] : ((const S *) a.x)[c.offsets[column] + row * a.row_stride];
        }
#pragma unroll
      for (int e = 0; e < EACH; e++)
        if (at[e] >= 0)
          {
            const K key = select_key_of<WHICH> (a, (K) x[e], a.center ? c.centers[select_over (at[e], a.by_pitch)] : 0);
            c.keys[at[e]] = key;
            reach = max (reach, select_reach<K> (a, select_top (key)));
          }
    }
  return reach;
}

/* The same of a slab of columns that lie one after the other, without centers: no division finds an element's place, since a thread's elements are
   a known way apart.  SHORT: worth a way of their own where they lie in shared memory as they do here.  */
template <select_kind WHICH, bool SHORT, class S, class K>
static __device__ __forceinline__ u32 select_load_lines (const gpr_select_args &a, const select_columns<K> &c)
{
  enum { EACH = 8 };
  const int n = (int) a.length, all = c.count * n, threads = blockDim.x, whole = all / threads, pad = a.pitch - n;
  const int columns = select_over (threads, a.by_length), rows = threads - columns * n, first = select_over (threadIdx.x, a.by_length);
  const S *x = (const S *) a.x + c.first * n + threadIdx.x;
  int row = threadIdx.x - first * n, at = threadIdx.x + first * pad;
  u32 reach = 0;
  auto put = [&] (S bits)
  {
    const K key = select_key_of<WHICH> (a, (K) bits);
    c.keys[at] = key;
    reach = max (reach, select_reach<K> (a, select_top (key)));
    at += threads + columns * pad;
    row += rows;
    if (row >= n)
      {
        row -= n;
        at += pad;
      }
  };

  if (SHORT && pad == 0)
    {
      for (int i = threadIdx.x; i < all; i += EACH * threads)
        {
          S bits[EACH];
#pragma unroll
          for (int e = 0; e < EACH; e++)
            if (i + e * threads < all)
              bits[e] = x[i - (int) threadIdx.x + e * threads];
#pragma unroll
          for (int e = 0; e < EACH; e++)
            if (i + e * threads < all)
              {
                const K key = select_key_of<WHICH> (a, (K) bits[e]);
                c.keys[i + e * threads] = key;
                reach = max (reach, select_reach<K> (a, select_top (key)));
              }
        }
      return reach;
    }
  for (int from = 0; from < whole; from += EACH)
    {
      S bits[EACH];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        if (from + e < whole)
          bits[e] = x[(from + e) * threads];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        if (from + e < whole)
          put (bits[e]);
    }
  if ((int) threadIdx.x < all - whole * threads)
    put (x[whole * threads]);
  return reach;
}

template <select_kind WHICH, bool SHORT, class S, class K>
static __device__ __forceinline__ u32 select_load_any (const gpr_select_args &a, const select_columns<K> &c)
{
  return a.slab && a.inner == 1 && ! a.center ? select_load_lines<WHICH, SHORT, S, K> (a, c) : select_load<WHICH, S, K> (a, c);
}

/* Shared memory: offsets, centers, keys.  */
template <select_kind WHICH, class K, bool SHORT = false>
static __device__ __forceinline__ select_columns<K> select_fetch (const gpr_select_args &a, unsigned char *raw, int64_t g)
{
  const int64_t first = g * a.group, left = a.inner * a.outers - first;
  select_columns<K> c;
  c.offsets = (int64_t *) raw;
  c.centers = (K *) (c.offsets + a.group);
  c.keys = (K *) (raw + 16 * a.group);
  c.first = first;
  c.count = left < a.group ? (int) left : a.group;
  if (! a.slab || a.center)
    {
      for (int i = threadIdx.x; i < c.count; i += blockDim.x)
        {
          c.offsets[i] = select_offset (a, first + i);
          c.centers[i] = select_center<K> (a, first + i);
        }
      __syncthreads ();
    }
  const u32 reach = sizeof (K) == 8 ? select_load_any<WHICH, SHORT, u64, K> (a, c) : a.bytes == 4 ? select_load_any<WHICH, SHORT, u32, K> (a, c)
                    : a.bytes == 2 ? select_load_any<WHICH, SHORT, u16, K> (a, c) : select_load_any<WHICH, SHORT, u8, K> (a, c);
  if (WHICH == SELECT_TURNED)
    c.extreme = __syncthreads_or (select_extreme<K> (a, reach));
  else
    __syncthreads ();
  return c;
}

/* Turned keys of NaN's become the last ones; returns how many.  */
template <class K>
static __device__ __forceinline__ unsigned select_settle (const gpr_select_args &a, K *keys, int from, int n, int step)
{
  unsigned nans = 0;
  for (int i = from; i < n; i += step)
    if (select_is_nan (a, keys[i]))
      {
        keys[i] = (K) ~(K) 0;
        nans++;
      }
  return nans;
}

/* A column by one team, which also looks at its keys.  DENSE: its elements lie one after the other, and no center is taken away.  */
template <bool DENSE, bool WARP, class S, class K>
static __device__ __forceinline__ select_look select_load_own (const gpr_select_args &a, const select_team<WARP, K> &team, int64_t column, K *keys)
{
  enum { EACH = WARP ? 11 : 8 };        /* on their way at once */
  const int n = (int) a.length;
  const int64_t stride = DENSE ? 1 : a.row_stride;
  const S *x = (const S *) a.x + select_offset (a, column);
  const K center = DENSE ? 0 : select_center<K> (a, column);
  select_look l = { ~0u, 0, 0 };
  u32 reach = 0;

  for (int from = team.t; from < n; from += EACH * team.size)
    {
      /* Behind the end the last one again: a test of each would take more than it.  */
      S bits[EACH];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        bits[e] = x[min (from + e * team.size, n - 1) * stride];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        {
          const K key = DENSE ? select_key_of<SELECT_TURNED> (a, (K) bits[e]) : select_key_of<SELECT_TURNED> (a, (K) bits[e], center);
          const u32 word = select_top (key);
          l.all &= word;
          l.any |= word;
          reach = max (reach, select_reach<K> (a, word));
          if (from + e * team.size < n)
            keys[from + e * team.size] = key;
        }
    }
  if (team.any (select_extreme<K> (a, reach)))
    {
      l = { ~0u, 0, select_settle (a, keys, team.t, n, team.size) };
      for (int i = team.t; i < n; i += team.size)
        {
          l.all &= select_top (keys[i]);
          l.any |= select_top (keys[i]);
        }
    }
  return team.joined (l);
}
template <class S, bool WARP, class K>
static __device__ __forceinline__ select_look select_load_own_any (const gpr_select_args &a, const select_team<WARP, K> &team, int64_t column, K *keys)
{
  return a.row_stride == 1 && ! a.center ? select_load_own<true, WARP, S> (a, team, column, keys) : select_load_own<false, WARP, S> (a, team, column, keys);
}
template <bool WARP, class K>
static __device__ __forceinline__ select_look select_fetch_own (const gpr_select_args &a, const select_team<WARP, K> &team, int64_t column, K *keys)
{
  return sizeof (K) == 8 ? select_load_own_any<u64> (a, team, column, keys) : a.bytes == 4 ? select_load_own_any<u32> (a, team, column, keys)
         : a.bytes == 2 ? select_load_own_any<u16> (a, team, column, keys) : select_load_own_any<u8> (a, team, column, keys);
}

static __device__ __forceinline__ int64_t select_groups (const gpr_select_args &a) { return (a.inner * a.outers + a.group - 1) / a.group; }

#endif
