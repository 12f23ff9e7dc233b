/* What operators of EXACT_ROWS and EXACT_COLUMNS (exact.cuh) have in common whose accumulators are kept as they are.  */

#ifndef GPR_REDUCE_KEPT_CUH
#define GPR_REDUCE_KEPT_CUH

#include "emit.cuh"

/* The bits of BITS for each of V elements that are a row's, of which element 0 is the row's `from' and the row has n.  */
template <int V, int BITS> static __device__ __forceinline__ u64 gpr_bits_within (int from, int n)
{
  return ~0ull << (from < 0 ? -from * BITS : 0) & ~0ull >> (from + V > n ? (from + V - n) * BITS : 0);
}

template <class F> struct gpr_kept_as_it_is
{
  typedef typename F::A A;
  typedef A kept;

  template <int N> struct lanes
  {
    kept of[N];
    __device__ __forceinline__ kept get (int i) const { return of[i]; }
    __device__ __forceinline__ void put (int i, kept k) { of[i] = k; }
    __device__ __forceinline__ void merge (int to, int from) { F::merge_here (&of[to], of[from]); }
  };

  static __device__ __forceinline__ void merge (kept &k, kept b) { F::merge_here (&k, b); }
  static __device__ __forceinline__ void settle (const gpr_reduce_args &, kept &, const typename F::X *, int64_t) {}
  static __device__ __forceinline__ A partial (kept k) { return k; }
  static __device__ __forceinline__ kept of_partial (A acc) { return acc; }
  template <int V> static __device__ __forceinline__ void store (const gpr_reduce_args &a, int64_t i, const kept *k)
  {
    typedef typename F::Y Y;
    Y y[V];
    int64_t none;
    if (F::both && a.out.apart)
      {
#pragma unroll
        for (int e = 0; e < V; e++)
          gpr_store<F> (a, i + e, k[e]);
        return;
      }
#pragma unroll
    for (int e = 0; e < V; e++)
      gpr_finish<F> (a, k[e], &y[e], &none);
    gpr_write<Y, V> ((Y *) a.out.value + i, y);
  }
};

#endif
