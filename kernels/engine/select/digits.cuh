/* Columns of which other devices have some rows: the next digit of the keys that begin with a prefix is counted, or these keys go to a
   list, which then is read instead.  */

#ifndef GPR_SELECT_DIGITS_CUH
#define GPR_SELECT_DIGITS_CUH

/* The most bits of a key that are as many as the prefix's; of no prefix the prefix.  */
template <class K> static __device__ __forceinline__ K select_leading (const gpr_select_args &a, K key)
{
  return a.known > 0 ? (K) (key >> a.over) : (K) a.prefix;
}

/* The least of a warp, as a key of 64 bits.  */
static __device__ __forceinline__ void select_take_least (unsigned long long *to, unsigned long long key)
{
  for (int d = 16; d > 0; d /= 2)
    {
      const unsigned long long other = __shfl_xor_sync (SELECT_ALL, key, d);
      key = other < key ? other : key;
    }
  if (threadIdx.x % 32 == 0 && ~key != 0)
    atomicMin (to, key);
}

/* Counts a warp's digits.  First digits of ordinary numbers are two or three: of the first two, one lane counts for all that have it.  */
static __device__ __forceinline__ void select_count_digits (unsigned *table, unsigned digit, bool here)
{
  const unsigned lane = threadIdx.x % 32;
  unsigned left = __ballot_sync (SELECT_ALL, here);
#pragma unroll
  for (int turn = 0; turn < 2; turn++)
    if (left)
      {
        const int first = __ffs ((int) left) - 1;
        const unsigned common = __shfl_sync (SELECT_ALL, digit, first), all = left & __ballot_sync (SELECT_ALL, digit == common);
        if ((int) lane == first)
          atomicAdd (&table[digit], (unsigned) __popc (all));
        left &= ~all;
      }
  if (left >> lane & 1)
    atomicAdd (&table[digit], 1u);
}

template <class S, class K>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS) digits_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ unsigned table[GPR_SELECT_DIGITS];
  const select_part<S> p = { (const S *) a.x, a.row_stride, a.length, 0, 1, 1, a.of_list };
  const K center = select_center<K> (a, 0), mask = (K) (a.digits - 1);
  const int64_t turn = (int64_t) blockDim.x * GPR_SELECT_EACH;
  K low = (K) ~(K) 0, high = 0;
  bool some = false;

  for (int d = threadIdx.x; d < a.digits; d += blockDim.x)
    table[d] = 0;
  __syncthreads ();
  for (int64_t from = blockIdx.x * turn; from < a.length; from += gridDim.x * turn)
    {
      const int64_t row = from + threadIdx.x;
      K keys[GPR_SELECT_EACH];
      const unsigned there = select_read (a, p, p.x + row * p.stride, blockDim.x, a.length - row, center, keys);
#pragma unroll
      for (int e = 0; e < GPR_SELECT_EACH; e++)
        {
          const bool here = (there >> e & 1) && select_leading (a, keys[e]) == (K) a.prefix;
          select_count_digits (table, (unsigned) (keys[e] >> a.down & mask), here);
          low = here && keys[e] < low ? keys[e] : low;
          high = here && keys[e] > high ? keys[e] : high;
          some |= here;
        }
    }
  select_take_least (&a.found->least, some ? (unsigned long long) low << a.align : ~0ull);
  select_take_least (&a.found->least_not, some ? ~((unsigned long long) high << a.align) : ~0ull);
  __syncthreads ();
  for (int d = threadIdx.x; d < a.digits; d += blockDim.x)
    if (table[d])
      atomicAdd (&a.found->count[d], (unsigned long long) table[d]);
}

/* The least key above those that begin with the prefix, and these to a list, if there is one.  */
template <class S, class K>
static __global__ void __launch_bounds__ (GPR_SELECT_PART_THREADS) keep_k (const __grid_constant__ gpr_select_args a)
{
  __shared__ unsigned kept;
  __shared__ unsigned long long base;
  const select_part<S> p = { (const S *) a.x, a.row_stride, a.length, 0, 1, 1, a.of_list };
  const K center = select_center<K> (a, 0);
  const int64_t turn = (int64_t) blockDim.x * GPR_SELECT_EACH;
  K above = 0;
  bool some = false;

  if (threadIdx.x == 0)
    kept = 0;
  __syncthreads ();
  for (int64_t from = blockIdx.x * turn; from < a.length; from += gridDim.x * turn)
    {
      const int64_t row = from + threadIdx.x;
      K keys[GPR_SELECT_EACH];
      const unsigned there = select_read (a, p, p.x + row * p.stride, blockDim.x, a.length - row, center, keys);
      unsigned inside = 0;
#pragma unroll
      for (int e = 0; e < GPR_SELECT_EACH; e++)
        {
          const K top = select_leading (a, keys[e]);
          const bool here = there >> e & 1, over = here && top > (K) a.prefix;
          inside |= (unsigned) (here && top == (K) a.prefix) << e;
          above = over && (! some || keys[e] < above) ? keys[e] : above;
          some |= over;
        }
      if (! a.next_keys || ! __syncthreads_or (inside != 0))
        continue;
      const unsigned at = select_reserve (&kept, (unsigned) __popc (inside));
      __syncthreads ();
      if (threadIdx.x == 0)
        {
          base = atomicAdd (&a.found->kept, (unsigned long long) kept);
          kept = 0;
        }
      __syncthreads ();
      select_write (inside, keys, (K *) a.next_keys, (int64_t) base + at, a.next_data);
    }
  select_take_least (&a.found->above, some ? (unsigned long long) above << a.align : ~0ull);
}

#endif
