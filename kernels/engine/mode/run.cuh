/* The longest run that was seen: its length, and the least key of such runs.  And what becomes of it.  */

#ifndef GPR_MODE_RUN_CUH
#define GPR_MODE_RUN_CUH

template <class K> struct mode_run { u32 count; K key; };

template <class K> static __device__ __forceinline__ mode_run<K> mode_none () { return { 0, (K) ~(K) 0 }; }

template <class K> static __device__ __forceinline__ mode_run<K> mode_better (mode_run<K> a, mode_run<K> b)
{
  return b.count > a.count || (b.count == a.count && b.key < a.key) ? b : a;
}

/* Of all threads, to all.  */
template <class K> static __device__ __forceinline__ mode_run<K> mode_of_block (mode_run<K> r)
{
  __shared__ mode_run<K> warps[32];
  for (int d = 16; d > 0; d /= 2)
    r = mode_better (r, { __shfl_xor_sync (SELECT_ALL, r.count, d), __shfl_xor_sync (SELECT_ALL, r.key, d) });
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = r;
  __syncthreads ();
  for (unsigned w = 0; w < blockDim.x / 32; w++)
    r = mode_better (r, warps[w]);
  __syncthreads ();
  return r;
}

/* Infinities and NaN are runs of one: mode.m has elements in one run while their difference is zero.  */
template <class K> static __device__ __forceinline__ bool mode_finite (const gpr_mode_args &a, K key)
{
  return (K) (key - (K) a.least) <= (K) a.span;
}
template <class K> static __device__ __forceinline__ bool mode_is_zero (const gpr_mode_args &a, K key)
{
  return select_floating (a.x) && key == (K) a.x.flip;
}

template <class K> static __device__ __forceinline__ K mode_bits (const gpr_mode_args &a, K key)
{
  return select_floating (a.x) && ! (key & (K) a.x.flip) ? (K) ~key : key ^ (K) a.x.flip;
}
template <class K> static __device__ __forceinline__ K mode_element (const gpr_mode_args &a, int64_t column, int64_t row)
{
  const int64_t at = select_offset (a.x, column) + row * a.x.row_stride;
  if (sizeof (K) == 8)
    return (K) ((const u64 *) a.x.x)[at];
  return a.x.bytes == 4 ? (K) ((const u32 *) a.x.x)[at] : a.x.bytes == 2 ? (K) ((const u16 *) a.x.x)[at] : (K) ((const u8 *) a.x.x)[at];
}

/* The mode of a column.  All zeros have one key, and all NaN: then it is the element itself, the first zero, or the
   first of all, for NaN is the mode of nothing else.  */
template <class K> static __device__ __forceinline__ void mode_put (const gpr_mode_args &a, int64_t column, mode_run<K> r, int64_t zero)
{
  const bool is_nan = select_floating (a.x) && r.key == (K) ~(K) 0;
  const K bits = is_nan ? mode_element<K> (a, column, 0) : mode_is_zero (a, r.key) ? mode_element<K> (a, column, zero) : mode_bits (a, r.key);
  if (sizeof (K) == 8)
    ((u64 *) a.x.value)[column] = (u64) bits;
  else if (a.x.bytes == 4)
    ((u32 *) a.x.value)[column] = (u32) bits;
  else if (a.x.bytes == 2)
    ((u16 *) a.x.value)[column] = (u16) bits;
  else
    ((u8 *) a.x.value)[column] = (u8) bits;
  if (a.frequency)
    a.frequency[column] = (double) r.count;
}

#endif
