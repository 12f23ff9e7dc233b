/* Columns that a thread sorts by a network, or that a block brings into a table in shared memory.  */

#ifndef GPR_MODE_SHORT_CUH
#define GPR_MODE_SHORT_CUH

/* Of n <= N sorted keys.  */
template <class K, int N> static __device__ __forceinline__ mode_run<K> mode_of_sorted (const gpr_mode_args &a, const K (&k)[N], int n)
{
  mode_run<K> best = { 1, k[0] };
  u32 run = 1;
#pragma unroll
  for (int i = 1; i < N; i++)
    if (i < n)
      {
        run = k[i] == k[i - 1] && mode_finite (a, k[i]) ? run + 1 : 1;
        if (run > best.count)
          best = { run, k[i] };
      }
  return best;
}

template <class K, int N>
static __global__ void __launch_bounds__ (GPR_SELECT_SHORT_THREADS) mode_networks_k (const __grid_constant__ gpr_mode_args a)
{
  GPR_SELECT_MEMORY (raw);
  const int n = (int) a.x.length;

  for (int64_t g = blockIdx.x; g < select_groups (a.x); g += gridDim.x)
    {
      const select_columns<K> c = select_fetch<SELECT_RANK, K> (a.x, raw, g);
      if (threadIdx.x < c.count)
        {
          const K *mine = c.keys + threadIdx.x * a.x.pitch;
          K k[N];
          int zero = 0;
#pragma unroll
          for (int i = 0; i < N; i++)
            k[i] = i < n ? mine[i] : (K) ~(K) 0;
          select_network (k);
          const mode_run<K> best = mode_of_sorted (a, k, n);
          while (mode_is_zero (a, best.key) && mine[zero] != best.key)
            zero++;
          mode_put (a, c.first + threadIdx.x, best, zero);
        }
      __syncthreads ();
    }
}

/* ---- tables ------------------------------------------------------------------------------- */

static __device__ __forceinline__ u32 mode_swap (u32 *p, u32 expected, u32 key) { return atomicCAS (p, expected, key); }
static __device__ __forceinline__ u64 mode_swap (u64 *p, u64 expected, u64 key)
{
  return atomicCAS ((unsigned long long *) p, (unsigned long long) expected, (unsigned long long) key);
}

/* Keys and how often each was seen.  Keys of 8 bits have a slot each; others the next free one from their hash on.
   The key that marks a free slot has one of its own, the last.  */
template <class S, class K> struct mode_table
{
  static constexpr bool DIRECT = sizeof (S) == 1;
  static constexpr K FREE = (K) ~(K) 0;
  K *keys;
  u32 *counts, slots;

  __device__ __forceinline__ u32 first_slot (u64 key) const
  {
    key = (key ^ key >> 32) * 0x9E3779B97F4A7C15u;
    return (u32) ((key >> 32) * slots >> 32);
  }
  __device__ __forceinline__ void clear () const
  {
    for (u32 s = threadIdx.x; s <= slots; s += blockDim.x)
      {
        if (! DIRECT)
          keys[s] = FREE;
        counts[s] = 0;
      }
  }
  __device__ __forceinline__ u32 slot_of (K key) const
  {
    if (DIRECT)
      return (u32) key;
    if (key == FREE)
      return slots;
    u32 s = first_slot (key);
    for (;; s = s + 1 < slots ? s + 1 : 0)
      {
        K there = ((volatile K *) keys)[s];
        if (there == FREE)
          there = mode_swap (keys + s, FREE, key);
        if (there == key || there == FREE)
          return s;
      }
  }
  __device__ __forceinline__ mode_run<K> best (mode_run<K> r) const
  {
    for (u32 s = threadIdx.x; s <= slots; s += blockDim.x)
      if (counts[s])
        r = mode_better (r, { counts[s], DIRECT ? (K) s : keys[s] });
    return r;
  }
};

/* One column.  Infinities and NaN are not brought in.  */
template <class S, class K>
static __device__ __forceinline__ mode_run<K> mode_fill (const gpr_mode_args &a, const mode_table<S, K> &table, const S *x, int *zero)
{
  const int n = (int) a.x.length;
  mode_run<K> best = mode_none<K> ();
  for (int from = threadIdx.x; from < n; from += GPR_MODE_EACH * blockDim.x)
    {
      S bits[GPR_MODE_EACH];
#pragma unroll
      for (int e = 0; e < GPR_MODE_EACH; e++)
        if (from + e * (int) blockDim.x < n)
          bits[e] = x[from + e * (int) blockDim.x];
#pragma unroll
      for (int e = 0; e < GPR_MODE_EACH; e++)
        {
          const int row = from + e * (int) blockDim.x;
          if (row >= n)
            break;
          const K key = select_rank_key (a.x, (K) bits[e]);
          if (! mode_finite (a, key))
            {
              best = mode_better (best, { 1, key });
              continue;
            }
          atomicAdd (&table.counts[table.slot_of (key)], 1u);
          if (mode_is_zero (a, key) && row < *(volatile int *) zero)
            atomicMin (zero, row);
        }
    }
  return best;
}

template <class S, class K>
static __global__ void __launch_bounds__ (GPR_MODE_TABLE_THREADS) mode_tables_k (const __grid_constant__ gpr_mode_args a)
{
  GPR_SELECT_MEMORY (raw);
  __shared__ int zero;
  const mode_table<S, K> table = { (K *) raw, (u32 *) (raw + (sizeof (S) == 1 ? 0 : (size_t) (a.slots + 1) * sizeof (K))), a.slots };

  for (int64_t column = blockIdx.x; column < a.x.inner * a.x.outers; column += gridDim.x)
    {
      table.clear ();
      if (threadIdx.x == 0)
        zero = (int) a.x.length;
      __syncthreads ();
      mode_run<K> best = mode_fill (a, table, (const S *) a.columns + column * a.x.length, &zero);
      __syncthreads ();
      best = mode_of_block (table.best (best));
      if (threadIdx.x == 0)
        mode_put (a, column, best, zero);
      __syncthreads ();
    }
}

#endif
