/* Keys of a block's columns, to shared memory: column i at keys + i * pitch.  */

#ifndef GPR_SELECT_LOAD_CUH
#define GPR_SELECT_LOAD_CUH

/* A slab is read as it lies, other columns row after row.  */
template <class K> struct select_columns { K *keys; int64_t *offsets; K *centers; int64_t first; int count; };

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

/* RANK: keys of a ranking.  */
template <bool RANK, class S, class K>
static __device__ __forceinline__ void select_load (const gpr_select_args &a, const select_columns<K> &c)
{
  enum { EACH = 8 };
  const int all = (a.slab ? c.count : a.group) * (int) a.length;
  const S *slab = (const S *) a.x + (a.slab ? c.first * a.length : 0);

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
          c.keys[at[e]] = RANK ? select_rank_key (a, (K) x[e]) : select_key (a, (K) x[e], a.center ? c.centers[select_over (at[e], a.by_pitch)] : 0);
    }
}

/* The same of a slab of columns that lie one after the other, without centers: no division finds an element's place, since a thread's elements are
   a known way apart.  */
template <bool RANK, class S, class K>
static __device__ __forceinline__ void select_load_lines (const gpr_select_args &a, const select_columns<K> &c)
{
  enum { EACH = 8 };
  const int n = (int) a.length, all = c.count * n, threads = blockDim.x, whole = all / threads, pad = a.pitch - n;
  const int columns = select_over (threads, a.by_length), rows = threads - columns * n, first = select_over (threadIdx.x, a.by_length);
  const S *x = (const S *) a.x + c.first * n + threadIdx.x;
  int row = threadIdx.x - first * n, at = threadIdx.x + first * pad;
  auto put = [&] (S bits)
  {
    c.keys[at] = RANK ? select_rank_key (a, (K) bits) : select_key (a, (K) bits, (K) 0);
    at += threads + columns * pad;
    row += rows;
    if (row >= n)
      {
        row -= n;
        at += pad;
      }
  };

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
}

template <bool RANK, class S, class K>
static __device__ __forceinline__ void select_load_any (const gpr_select_args &a, const select_columns<K> &c)
{
  if (a.slab && a.inner == 1 && ! a.center)
    select_load_lines<RANK, S, K> (a, c);
  else
    select_load<RANK, S, K> (a, c);
}

/* Shared memory: offsets, centers, keys.  */
template <bool RANK, class K>
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
  if (sizeof (K) == 8)
    select_load_any<RANK, u64, K> (a, c);
  else if (a.bytes == 4)
    select_load_any<RANK, u32, K> (a, c);
  else if (a.bytes == 2)
    select_load_any<RANK, u16, K> (a, c);
  else
    select_load_any<RANK, u8, K> (a, c);
  __syncthreads ();
  return c;
}

/* Column c of them by one team, which also looks at its keys.  */
template <bool WARP, class S, class K>
static __device__ __forceinline__ select_look<K> select_load_own (const gpr_select_args &a, const select_team<WARP, K> &team, int64_t column, K *keys)
{
  enum { EACH = WARP ? 6 : 8 };         /* 333 elements: twice 6 of a lane */
  const int n = (int) a.length;
  const int64_t step = team.size * a.row_stride;
  const S *x = (const S *) a.x + select_offset (a, column) + team.t * a.row_stride;
  const K center = select_center<K> (a, column);
  select_look<K> l = { (K) ~(K) 0, 0, 0 };

  for (int from = team.t; from < n; from += EACH * team.size, x += EACH * step)
    {
      S bits[EACH];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        if (from + e * team.size < n)
          bits[e] = x[e * step];
#pragma unroll
      for (int e = 0; e < EACH; e++)
        if (from + e * team.size < n)
          {
            const K key = select_key (a, (K) bits[e], center);
            keys[from + e * team.size] = key;
            l.all &= key;
            l.any |= key;
            l.nans += (u32) (key >> (8 * sizeof (K) - 32)) == ~0u;      /* a NaN's alone, of floating-point numbers */
          }
    }
  l = team.joined (l);
  l.nans = select_floating (a) ? l.nans : 0;
  return l;
}
template <bool WARP, class K>
static __device__ __forceinline__ select_look<K> select_fetch_own (const gpr_select_args &a, const select_team<WARP, K> &team, int64_t column, K *keys)
{
  return sizeof (K) == 8 ? select_load_own<WARP, u64> (a, team, column, keys) : a.bytes == 4 ? select_load_own<WARP, u32> (a, team, column, keys)
         : a.bytes == 2 ? select_load_own<WARP, u16> (a, team, column, keys) : select_load_own<WARP, u8> (a, team, column, keys);
}

static __device__ __forceinline__ int64_t select_groups (const gpr_select_args &a) { return (a.inner * a.outers + a.group - 1) / a.group; }

#endif
