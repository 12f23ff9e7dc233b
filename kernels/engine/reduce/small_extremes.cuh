/* The greatest element of integers of 1 and 2 bytes, turned or not, or the least and the greatest: extremes without an
   index and bounds, as exact.cuh has it.  One instruction takes two elements.  */

#ifndef GPR_REDUCE_SMALL_EXTREMES_CUH
#define GPR_REDUCE_SMALL_EXTREMES_CUH

#include "best.cuh"
#include "kept.cuh"

template <class F> struct gpr_small_extremes : gpr_kept_as_it_is<F>
{
  typedef typename F::X X;
  typedef typename F::A A;
  typedef A kept;
  static constexpr int BITS = 8 * sizeof (X), IN_WORD = 4 / sizeof (X);
  template <int V> static constexpr bool words = V % IN_WORD == 0;      /* as gpr_vector */

  static __device__ __forceinline__ A found (X least, X most)
  {
    if constexpr (F::both)
      {
        A a;
        a.least = least;
        a.most = most;
        return a;
      }
    else
      return most;
  }
  template <int V> static __device__ __forceinline__ gpr_vector<X, V> turned (const gpr_vector<X, V> &p, u64 turn)
  {
    if constexpr (F::turns)
      return p.turned (turn);
    else
      return p;
  }

  /* Of neighbouring elements, a word of them or one: each by itself.  */
  template <bool WORD> struct some
  {
    static constexpr int BYTES = WORD ? sizeof (X) : 8;
    gpr_best<X, true, BYTES> most;
    gpr_best<X, false, BYTES> least;
    __device__ __forceinline__ void init ()
    {
      most.init ();
      if constexpr (F::both)
        least.init ();
    }
    template <class W> __device__ __forceinline__ void take (W w, W or_least)
    {
      most.take_one (w);
      if constexpr (F::both)
        least.take_one (or_least);
    }
    /* Those of the bits inside.  */
    __device__ __forceinline__ void take_within (unsigned w, unsigned inside)
    {
      constexpr unsigned each = BITS == 8 ? 0x1010101u : 0x10001u, ones = BITS == 8 ? 0xff : 0xffff;
      const unsigned low = (unsigned) gpr_best<X, true>::worst () & ones, high = (unsigned) gpr_best<X, false>::worst () & ones;
      take ((w & inside) | (low * each & ~inside), (w & inside) | (high * each & ~inside));
    }
    __device__ __forceinline__ A at (int e) const { return found (F::both ? least.at (e) : X (), most.at (e)); }
    __device__ __forceinline__ A value () const { return found (F::both ? least.value () : X (), most.value ()); }
    __device__ __forceinline__ void merge_across (int distance)
    {
      most.merge_across (distance);
      if constexpr (F::both)
        least.merge_across (distance);
    }
  };

  template <int V> struct row
  {
    some<true> t;
    __device__ __forceinline__ void init (unsigned) { t.init (); }
    __device__ __forceinline__ void take (const gpr_vector<X, V> &p, unsigned, u64 turn)
    {
      const gpr_vector<X, V> q = turned (p, turn);
#pragma unroll
      for (int i = 0; i < V / IN_WORD; i++)
        t.take (q.w[i], q.w[i]);
    }
    /* RAGGED: of 8 bytes; element 0 is from, of which there are n.  */
    __device__ __forceinline__ void take_within (const gpr_vector<X, V> &p, int from, int n, u64 turn)
    {
      const gpr_vector<X, V> q = turned (p, turn);
      const u64 inside = gpr_bits_within<V, BITS> (from, n);
#pragma unroll
      for (int i = 0; i < V / IN_WORD; i++)
        t.take_within (q.w[i], (unsigned) (inside >> 32 * i));
    }
    __device__ __forceinline__ void take_one (X x, u64 turn)
    {
      t.take_within (F::turns ? (unsigned) gpr_turned (x, turn) : (unsigned) x, BITS == 8 ? 0xff : 0xffff);
    }
    template <int R> static __device__ __forceinline__ void merge_rows (row *rows, unsigned group)
    {
#pragma unroll 1
      for (int d = group / 2; d > 0; d /= 2)
#pragma unroll
        for (int r = 0; r < R; r++)
          rows[r].t.merge_across (d);
    }
    __device__ __forceinline__ void store (const gpr_reduce_args &a, int64_t i, const X *) const
    {
      gpr_store<F> (a, i, t.value ());
    }
  };

  template <int V> struct columns
  {
    static constexpr int E = words<V> ? IN_WORD : 1;
    some<words<V>> t[V / E];
    __device__ __forceinline__ void init (int e, unsigned)
    {
      if (e % E == 0)
        t[e / E].init ();
    }
    __device__ __forceinline__ void take (const gpr_vector<X, V> &p, unsigned, u64 turn)
    {
      const gpr_vector<X, V> q = turned (p, turn);
#pragma unroll
      for (int e = 0; e < V; e += E)
        if constexpr (words<V>)
          t[e / E].take (q.w[e / E], q.w[e / E]);
        else
          t[e].take (q.at (e), q.at (e));
    }
    __device__ __forceinline__ void take_one (int e, const gpr_vector<X, 1> &p, unsigned, u64 turn)
    {
      const X x = turned (p, turn).at (0);
      if constexpr (words<V>)
        t[e / E].take_within ((unsigned) x << e % E * BITS, (BITS == 8 ? 0xffu : 0xffffu) << e % E * BITS);
      else
        t[e].take (x, x);
    }
    template <class ROW> __device__ __forceinline__ kept kept_of (int e, unsigned, ROW) const { return t[e / E].at (e % E); }
  };
};

#endif
