/* The k greatest or least: the key of the last of them is selected, those before it and the first of its equals are
   sorted with their rows.  */

#ifndef GPR_SELECT_RANK_CUH
#define GPR_SELECT_RANK_CUH

/* What is taken of a team's keys: keys and their places, padded to a power of two, in shared memory.  */
template <class K> struct select_taken { K *keys; uint32_t *places; };

template <class K> static __device__ __forceinline__ select_taken<K> select_taken_at (unsigned char *raw, int padded)
{
  return { (K *) raw, (uint32_t *) (raw + padded * sizeof (K)) };
}

/* The ties of a key, in their order, behind those already taken.  By a warp.  */
template <class K>
static __device__ __forceinline__ void select_take_ties (const K *keys, int n, K tied, int taken, int count, const select_taken<K> &out)
{
  const int lane = threadIdx.x % 32;
  for (int from = 0; taken < count && from < n; from += 32)
    {
      const bool tie = from + lane < n && keys[from + lane] == tied;
      const unsigned ties = __ballot_sync (SELECT_ALL, tie);
      const int place = taken + __popc (ties & ((1u << lane) - 1));
      if (tie && place < count)
        {
          out.keys[place] = tied;
          out.places[place] = from + lane;
        }
      taken += __popc (ties);
    }
}

/* The first count of n keys, of equal ones those that come first, in no order.  */
template <bool WARP, class K>
static __device__ __forceinline__ void select_take (const select_team<WARP, K> &team, const K *keys, int n, int count, const select_taken<K> &out)
{
  const bool some = count < n;
  const K last = some ? team.select (keys, n, team.look (keys, n, false), (unsigned) count - 1, false).low : 0;
  if (team.t == 0)
    team.m.count = team.m.bins[0] = 0;
  team.sync ();
  for (int i = team.t; i < n; i += team.size)
    if (! some || keys[i] < last)
      {
        const unsigned place = atomicAdd (&team.m.count, 1u);
        out.keys[place] = keys[i];
        out.places[place] = i;
      }
    else if (keys[i] == last)
      atomicAdd (&team.m.bins[0], 1u);
  team.sync ();
  const int before = (int) team.m.count, ties = (int) team.m.bins[0];
  team.sync ();
  if (before + ties > count && team.t < 32)
    select_take_ties (keys, n, last, before, count, out);
  if (some && before + ties == count)
    for (int i = team.t; i < n; i += team.size)
      if (keys[i] == last)
        {
          const unsigned place = atomicAdd (&team.m.count, 1u);
          out.keys[place] = last;
          out.places[place] = i;
        }
}

/* A bitonic sort by keys, then places.  */
template <bool WARP, class K>
static __device__ __forceinline__ void select_order (const select_team<WARP, K> &team, int count, int padded, const select_taken<K> &out)
{
  for (int i = count + team.t; i < padded; i += team.size)
    {
      out.keys[i] = (K) ~(K) 0;
      out.places[i] = 0xFFFFFFFFu;
    }
  team.sync ();
  for (int run = 2; run <= padded; run *= 2)
    for (int apart = run / 2; apart > 0; apart /= 2)
      {
        for (int i = team.t; i < padded / 2; i += team.size)
          {
            const int low = 2 * i - (i & (apart - 1)), high = low + apart;
            const K a = out.keys[low], b = out.keys[high];
            const uint32_t p = out.places[low], q = out.places[high];
            if ((a > b || (a == b && p > q)) == ((low & run) == 0))
              {
                out.keys[low] = b;
                out.keys[high] = a;
                out.places[low] = q;
                out.places[high] = p;
              }
          }
        team.sync ();
      }
}

/* Result k of a column is its element at that row.  */
static __device__ __forceinline__ void select_put_row (const gpr_select_args &a, int64_t column, int64_t k, int64_t row)
{
  const int64_t o = a.inner == 1 ? column : column / a.inner, c = column - o * a.inner;
  const int64_t to = c + a.value_stride * (k + a.taken * o), from = c + o * a.outer_stride + row * a.row_stride;
  if (a.bytes == 8)
    ((u64 *) a.value)[to] = ((const u64 *) a.x)[from];
  else if (a.bytes == 4)
    ((u32 *) a.value)[to] = ((const u32 *) a.x)[from];
  else if (a.bytes == 2)
    ((u16 *) a.value)[to] = ((const u16 *) a.x)[from];
  else
    ((u8 *) a.value)[to] = ((const u8 *) a.x)[from];
  if (a.index)
    a.index[to] = (double) (row + 1);
}

/* Columns so short that the place of each element is counted: how many come before it.  Neighbouring threads have
   neighbouring results.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_WARPS_THREADS) rank_counted_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int length = (int) a.length, count = (int) a.taken;

  for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
    {
      const select_columns<K> c = select_fetch<SELECT_RANK, K> (a, raw, g);
      for (int e = threadIdx.x; e < a.group * length; e += blockDim.x)
        {
          const int first = select_over (e, a.inner == 1 ? a.by_length : a.by_group), rest = e - first * (a.inner == 1 ? length : a.group);
          const int column = a.inner == 1 ? first : rest, row = a.inner == 1 ? rest : first;
          if (column >= c.count)
            continue;
          const K *keys = c.keys + column * a.pitch, own = keys[row];
          int place = 0;
#pragma unroll 4
          for (int r = 0; r < length; r++)
            place += keys[r] < own || (keys[r] == own && r < row);
          if (place < count)
            select_put_row (a, c.first + column, place, row);
        }
      __syncthreads ();
    }
}

/* A warp for each column that is not long.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_WARPS_THREADS) rank_columns_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32, count = (int) a.taken;
  const size_t own = a.padded * (sizeof (K) + 4);
  const select_team<true, K> team = select_team<true, K>::of (raw);
  const select_taken<K> out = select_taken_at<K> (raw + warps * team.BYTES + warp * own, a.padded);

  for (int64_t g = blockIdx.x; g < select_groups (a); g += gridDim.x)
    {
      const select_columns<K> c = select_fetch<SELECT_RANK, K> (a, raw + warps * (team.BYTES + own), g);
      for (int i = warp; i < c.count; i += warps)
        {
          select_take (team, c.keys + i * a.pitch, (int) a.length, count, out);
          select_order (team, count, a.padded, out);
          for (int k = team.t; k < count; k += 32)
            select_put_row (a, c.first + i, k, out.places[k]);
          __syncwarp ();
        }
      __syncthreads ();
    }
}

template <class S, class K>
static __device__ __forceinline__ void select_load_chunk (const gpr_select_args &a, const S *x, int n, K *keys)
{
#pragma unroll 8
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    keys[i] = select_rank_key (a, (K) x[i * a.row_stride]);
}

/* A block for each chunk of a longer one.  */
template <class K>
static __global__ void __launch_bounds__ (GPR_SELECT_THREADS, 2) rank_chunks_k (const __grid_constant__ gpr_select_args a)
{
  GPR_SELECT_MEMORY (raw);
  const select_team<false, K> team = select_team<false, K>::of (raw);
  const select_taken<K> out = select_taken_at<K> (raw + team.BYTES, a.padded);
  K *keys = (K *) (raw + team.BYTES + a.padded * (sizeof (K) + 4));

  for (int64_t work = blockIdx.x; work < a.inner * a.outers * a.chunks; work += gridDim.x)
    {
      const int64_t column = work / a.chunks, q = work - column * a.chunks, from = q * a.chunk;
      const int n = (int) (a.data - from < a.chunk ? a.data - from : a.chunk), count = a.taken < n ? (int) a.taken : n;
      const int64_t x = select_offset (a, column) + from * a.row_stride, listed = column * a.data + from;
      if (a.keys)
        for (int i = threadIdx.x; i < n; i += blockDim.x)
          keys[i] = ((const K *) a.keys)[listed + i];
      else if (sizeof (K) == 8)
        select_load_chunk (a, (const u64 *) a.x + x, n, keys);
      else if (a.bytes == 4)
        select_load_chunk (a, (const u32 *) a.x + x, n, keys);
      else if (a.bytes == 2)
        select_load_chunk (a, (const u16 *) a.x + x, n, keys);
      else
        select_load_chunk (a, (const u8 *) a.x + x, n, keys);
      __syncthreads ();
      select_take (team, keys, n, count, out);
      select_order (team, count, a.padded, out);
      for (int k = threadIdx.x; k < count; k += blockDim.x)
        {
          const int64_t row = a.keys ? a.rows[listed + out.places[k]] : from + out.places[k];
          if (a.chunks == 1)
            select_put_row (a, column, k, row);
          else
            {
              ((K *) a.next_keys)[column * a.next_data + q * a.taken + k] = out.keys[k];
              a.next_rows[column * a.next_data + q * a.taken + k] = (uint32_t) row;
            }
        }
      __syncthreads ();
    }
}

#endif
