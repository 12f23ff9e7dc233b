/* Whether any of some numbers is true, or all are: any and all, as exact.cuh has it, and
   kernels/ops/logical.h: NaN is false for any and true for all.  Few instructions an element: a
   word of 1 or 2 bytes an element takes one to three.  */

#ifndef GPR_REDUCE_TRUTH_CUH
#define GPR_REDUCE_TRUTH_CUH

#include "kept.cuh"

/* One accumulator, of numbers.  Of integers: any has a bit of one, all the least of them.  */
template <class F, class X = typename F::X> struct gpr_truth
{
  unsigned w;
  __device__ __forceinline__ void init () { w = F::any ? 0 : 1; }
  __device__ __forceinline__ void take (X x)
  {
    const unsigned bits = sizeof (X) == 8 ? (unsigned) x | (unsigned) ((u64) x >> 32) : (unsigned) x;
    w = F::any ? w | bits : bits < w ? bits : w;
  }
  __device__ __forceinline__ bool value () const { return w != 0; }
};
/* The greatest or the least of them without their signs; both skip NaN.  */
template <class F> struct gpr_truth<F, f32>
{
  f32 b;
  __device__ __forceinline__ void init () { b = F::any ? 0.0f : 1.0f; }
  __device__ __forceinline__ void take (f32 x) { b = F::any ? fmaxf (b, fabsf (x)) : fminf (b, fabsf (x)); }
  __device__ __forceinline__ bool value () const { return b != 0; }
};
template <class F> struct gpr_truth<F, f64>
{
  bool b;
  __device__ __forceinline__ void init () { b = ! F::any; }
  __device__ __forceinline__ void take (f64 x) { b = F::any ? b | ((x != 0) & (x == x)) : b & (x != 0); }
  __device__ __forceinline__ bool value () const { return b; }
};
/* One of elements of 1 or 2 bytes in a word.  all: of each byte the top bit says that it is not 0; of 2 bytes
   the least.  */
template <class F> struct gpr_truth_word
{
  typedef typename F::X X;
  static constexpr int BITS = 8 * sizeof (X);
  static constexpr unsigned TOPS = 0x80808080u, ONES = BITS == 8 ? 0xff : 0xffff;
  unsigned w;
  __device__ __forceinline__ void init () { w = F::any ? 0 : ~0u; }
  __device__ __forceinline__ void take (unsigned x)
  {
    if constexpr (F::any)
      w |= x;
    else if constexpr (BITS == 8)
      w &= ((x & ~TOPS) + ~TOPS) | x;
    else
      w = __vminu2 (w, x);
  }
  __device__ __forceinline__ void take_one (int e, X x)
  {
    take (F::any ? (unsigned) x << e * BITS : (unsigned) x << e * BITS | ~(ONES << e * BITS));
  }
  __device__ __forceinline__ bool at (int e) const        /* e: of the word's elements */
  {
    const unsigned x = w >> e * BITS;
    return ! F::any && BITS == 8 ? x & 0x80 : x & ONES;
  }
  __device__ __forceinline__ bool value () const        /* of all of them */
  {
    if constexpr (F::any)
      return w != 0;
    else
      return BITS == 8 ? (w & TOPS) == TOPS : at (0) && at (1);
  }
};

template <class F> struct gpr_exact_truth : gpr_kept_as_it_is<F>
{
  typedef typename F::X X;
  typedef typename F::A A;
  typedef A kept;
  template <int V> static constexpr bool words = sizeof (X) <= 2 && V * sizeof (X) % 4 == 0;    /* as gpr_vector */
  template <bool WORD, int> struct of { typedef gpr_truth<F> accumulator; static constexpr int elements = 1; };
  template <int NONE> struct of<true, NONE> { typedef gpr_truth_word<F> accumulator; static constexpr int elements = 4 / sizeof (X); };

  template <int V> struct row
  {
    typename of<words<V>, 0>::accumulator t;
    bool found;
    __device__ __forceinline__ void init (unsigned) { t.init (); }
    __device__ __forceinline__ void take (const gpr_vector<X, V> &p, unsigned, u64)
    {
#pragma unroll
      for (int e = 0; e < V; e += of<words<V>, 0>::elements)
        if constexpr (words<V>)
          t.take (p.w[e / of<true, 0>::elements]);
        else
          t.take (p.at (e));
    }
    /* RAGGED: of 8 bytes; element 0 is from, of which there are n.  */
    __device__ __forceinline__ void take_within (const gpr_vector<X, V> &p, int from, int n, u64)
    {
      const u64 inside = gpr_bits_within<V, 8 * sizeof (X)> (from, n);
#pragma unroll
      for (int q = 0; q < 2; q++)
        {
          const unsigned mask = (unsigned) (inside >> 32 * q);
          t.take (F::any ? p.w[q] & mask : p.w[q] | ~mask);
        }
    }
    __device__ __forceinline__ void take_one (X x, u64) { t.take_one (0, x); }
    template <int R> static __device__ __forceinline__ void merge_rows (row *rows, unsigned group)
    {
      const unsigned mine = 0xffffffffu >> (32 - group) << (threadIdx.x & 32 - group);
#pragma unroll
      for (int r = 0; r < R; r++)
        {
          const unsigned votes = __ballot_sync (0xffffffffu, rows[r].t.value ()) & mine;
          rows[r].found = F::any ? votes != 0 : votes == mine;
        }
    }
    __device__ __forceinline__ void store (const gpr_reduce_args &a, int64_t i, const X *) const
    {
      const kept k = found;
      gpr_exact_truth::template store<1> (a, i, &k);
    }
  };

  template <int V> struct columns
  {
    static constexpr int E = of<words<V>, 0>::elements;
    typename of<words<V>, 0>::accumulator t[V / E];
    __device__ __forceinline__ void init (int e, unsigned)
    {
      if (e % E == 0)
        t[e / E].init ();
    }
    __device__ __forceinline__ void take (const gpr_vector<X, V> &p, unsigned, u64)
    {
#pragma unroll
      for (int e = 0; e < V; e += E)
        if constexpr (words<V>)
          t[e / E].take (p.w[e / E]);
        else
          t[e].take (p.at (e));
    }
    __device__ __forceinline__ void take_one (int e, const gpr_vector<X, 1> &p, unsigned, u64)
    {
      if constexpr (words<V>)
        t[e / E].take_one (e % E, p.at (0));
      else
        t[e].take (p.at (0));
    }
    template <class ROW> __device__ __forceinline__ kept kept_of (int e, unsigned, ROW) const
    {
      if constexpr (words<V>)
        return t[e / E].at (e % E);
      else
        return t[e].value ();
    }
  };
};

#endif
