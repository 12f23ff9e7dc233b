/* The largest or smallest of many elements, by value alone: STREAM.  (Extremes ask for the largest, of turned
   elements; bounds for both.)  */

#ifndef GPR_REDUCE_BEST_CUH
#define GPR_REDUCE_BEST_CUH

#include "load.cuh"

/* 16 bytes of elements.  */
template <class X> using gpr_vector16 = gpr_vector<X, 16 / (int) sizeof (X)>;

/* The largest or smallest of vectors.  NaN is skipped; the sign of a zero is any of theirs.  Of 1 and 2 bytes, by words (take_one), for each place of
   a word (at) or for all (value).  */
template <class X, bool MAXIMUM, int BYTES = (X (0.5) == X (0) ? sizeof (X) : 8)> struct gpr_best
{
  X b;
  static __device__ __forceinline__ bool better (X x, X y) { return MAXIMUM ? x > y : x < y; }
  static __device__ __forceinline__ X worst ()
  {
    if constexpr (X (0.5) != X (0))
      return MAXIMUM ? -HUGE_VAL : HUGE_VAL;
    else
      {
        constexpr unsigned long long ones = ~0ull >> (64 - 8 * sizeof (X));
        constexpr X top = X (-1) < X (0) ? X (ones >> 1) : X (ones);
        return MAXIMUM ? X (~top) : top;
      }
  }
  __device__ __forceinline__ void init () { b = worst (); }
  __device__ __forceinline__ void take_one (X x) { b = better (x, b) ? x : b; }
  __device__ __forceinline__ void take (const gpr_vector16<X> &p)
  {
#pragma unroll
    for (int e = 0; e < 16 / (int) sizeof (X); e++)
      take_one (p.at (e));
  }
  __device__ __forceinline__ X at (int) const { return b; }
  __device__ __forceinline__ X value () const { return b; }
};

/* Two numbers of 2 bytes at once.  */
template <bool IS_SIGNED, bool MAXIMUM> static __device__ __forceinline__ unsigned gpr_best_pairs (unsigned a, unsigned b)
{
  if (IS_SIGNED)
    return MAXIMUM ? __vmaxs2 (a, b) : __vmins2 (a, b);
  return MAXIMUM ? __vmaxu2 (a, b) : __vminu2 (a, b);
}
template <class X, bool MAXIMUM> struct gpr_best<X, MAXIMUM, 2> : gpr_best<X, MAXIMUM, 8>
{
  typedef gpr_best<X, MAXIMUM, 8> plain;
  static constexpr bool is_signed = X (-1) < X (0);
  unsigned pair;
  __device__ __forceinline__ void init () { pair = (unsigned) (uint16_t) plain::worst () * 0x10001u; }
  __device__ __forceinline__ void take_one (unsigned w) { pair = gpr_best_pairs<is_signed, MAXIMUM> (pair, w); }
  __device__ __forceinline__ void take (const gpr_vector16<X> &p)
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      take_one (p.w[i]);
  }
  __device__ __forceinline__ void merge_across (int distance) { take_one (__shfl_xor_sync (0xffffffffu, pair, distance)); }
  __device__ __forceinline__ X at (int e) const { return X (pair >> 16 * e); }
  __device__ __forceinline__ X value () const
  {
    X x = X (pair), y = X (pair >> 16);
    return plain::better (y, x) ? y : x;
  }
};
/* Single bytes, as the upper bytes of such pairs: the odd ones as they lie, the even ones moved up.
   The lower bytes decide between equal ones only.  */
template <class X, bool MAXIMUM> struct gpr_best<X, MAXIMUM, 1> : gpr_best<X, MAXIMUM, 8>
{
  typedef gpr_best<X, MAXIMUM, 8> plain;
  static constexpr bool is_signed = X (-1) < X (0);
  unsigned odd, even;
  __device__ __forceinline__ void init ()
  {
    odd = even = (unsigned) (uint8_t) plain::worst () * 0x1000100u + (MAXIMUM ? 0 : 0xff00ffu);
  }
  __device__ __forceinline__ void take_pairs (unsigned o, unsigned e)
  {
    odd = gpr_best_pairs<is_signed, MAXIMUM> (odd, o);
    even = gpr_best_pairs<is_signed, MAXIMUM> (even, e);
  }
  __device__ __forceinline__ void take_one (unsigned w) { take_pairs (w, w << 8); }
  __device__ __forceinline__ void take (const gpr_vector16<X> &p)
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      take_one (p.w[i]);
  }
  __device__ __forceinline__ void merge_across (int distance)
  {
    take_pairs (__shfl_xor_sync (0xffffffffu, odd, distance), __shfl_xor_sync (0xffffffffu, even, distance));
  }
  __device__ __forceinline__ X at (int e) const { return X ((e % 2 ? odd : even) >> (e / 2 * 16 + 8)); }
  __device__ __forceinline__ X value () const
  {
    const unsigned both = gpr_best_pairs<is_signed, MAXIMUM> (odd, even);
    X x = X (both >> 8), y = X (both >> 24);
    return plain::better (y, x) ? y : x;
  }
};

#endif
