/* Keys that one thread sorts in its registers.  */

#ifndef GPR_SELECT_NETWORK_CUH
#define GPR_SELECT_NETWORK_CUH

/* ---- Batcher's odd-even merge sort of N keys in registers, N <= LENGTH, a power of two ------------- */

template <int I, int J, int N, class K> static __device__ __forceinline__ void select_exchange (K *k)
{
  if constexpr (J < N)
    {
      const K a = k[I], b = k[J];
      const bool ordered = a < b;
      k[I] = ordered ? a : b;
      k[J] = ordered ? b : a;
    }
}
/* I, I + STEP, … below END, each with the one DISTANCE on.  */
template <int I, int END, int STEP, int DISTANCE, int N, class K> static __device__ __forceinline__ void select_exchanges (K *k)
{
  if constexpr (I + DISTANCE < END && I + DISTANCE < N)
    {
      select_exchange<I, I + DISTANCE, N> (k);
      select_exchanges<I + STEP, END, STEP, DISTANCE, N> (k);
    }
}
template <int FROM, int LENGTH, int DISTANCE, int N, class K> static __device__ __forceinline__ void select_merge (K *k)
{
  if constexpr (2 * DISTANCE < LENGTH)
    {
      select_merge<FROM, LENGTH, 2 * DISTANCE, N> (k);
      select_merge<FROM + DISTANCE, LENGTH, 2 * DISTANCE, N> (k);
      select_exchanges<FROM + DISTANCE, FROM + LENGTH, 2 * DISTANCE, DISTANCE, N> (k);
    }
  else
    select_exchange<FROM, FROM + DISTANCE, N> (k);
}
template <int FROM, int LENGTH, int N, class K> static __device__ __forceinline__ void select_sort (K *k)
{
  if constexpr (LENGTH > 1 && FROM < N)
    {
      select_sort<FROM, LENGTH / 2, N> (k);
      select_sort<FROM + LENGTH / 2, LENGTH / 2, N> (k);
      select_merge<FROM, LENGTH, 1, N> (k);
    }
}
template <class K, int N> static __device__ __forceinline__ void select_network (K (&k)[N])
{
  select_sort<0, N <= 8 ? 8 : N <= 16 ? 16 : N <= 32 ? 32 : 64, N> (k);
}

#endif
