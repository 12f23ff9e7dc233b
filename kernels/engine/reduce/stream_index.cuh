/* The index of the largest element of a long row, turned or not, for STREAM: by value alone, as far
   as that decides.  */

#ifndef GPR_REDUCE_STREAM_INDEX_CUH
#define GPR_REDUCE_STREAM_INDEX_CUH

#include "stream_row.cuh"

/* From the thread whose number differs in this bit.  */
template <class X> static __device__ __forceinline__ X gpr_from_any (X x, int bit)
{
  if constexpr (sizeof (X) >= 4)
    return __shfl_xor_sync (0xffffffffu, x, bit);
  else
    return (X) __shfl_xor_sync (0xffffffffu, (int) x, bit);
}

/* The best value a warp has seen, and for each thread the first of its vectors that holds it.  */
template <class X> struct gpr_best_index
{
  typedef gpr_best<X, true> B;
  typedef gpr_stream_row<X, true> R;
  volatile X *block_best;       /* of all warps, or nearly: a better one that is lost between two writers costs time only */
  X best;
  gpr_vector16<X> vector;
  int64_t at;                   /* where the vector begins; -1: it has none */
  bool begun;

  __device__ __forceinline__ void init (X *seen)
  {
    block_best = seen;
    best = B::worst ();
    if (threadIdx.x == 0)
      *block_best = best;
    __syncthreads ();
    at = -1;
    begun = false;
  }
  /* Most tiles have nothing better.  Where one has, the warp still passes over it if another warp
     has seen a better value yet: else the warps take turns in finding new ones.  (Not if it is as
     good: this one's index may be the first.)  */
  __device__ __forceinline__ void take (const R &r, const typename R::tile &v, int64_t tile)
  {
    B b;
    if constexpr (sizeof (X) <= 2)
      b.init ();
    else
      b.b = best;
#pragma unroll
    for (int k = 0; k < R::LOADS; k++)
      b.take (v[k]);
    const X x = b.value ();
    const X others = *block_best;
    if (! __any_sync (0xffffffffu, ! begun || (B::better (x, best) && (best == B::worst () || ! B::better (others, x)))))
      return;
    begun = true;
    best = x;
#pragma unroll 1
    for (int d = 16; d > 0; d /= 2)
      {
        const X other = gpr_from_any (best, d);
        best = B::better (other, best) ? other : best;
      }
    if (threadIdx.x % 32 == 0 && B::better (best, *block_best))
      *block_best = best;
    at = -1;
    if (x == best)
      keep (r, v, tile);
  }
  __device__ __forceinline__ void keep (const R &r, const typename R::tile &v, int64_t tile)
  {
    B b;
    if constexpr (sizeof (X) <= 2)      /* loaded again, which is rare: there are no registers to choose from */
      {
#pragma unroll 1
        for (int k = 0; at < 0; k++)
          {
            vector = r.vector_at (r.vector (tile, k));
            b.init ();
            b.take (vector);
            if (b.value () == best || k == R::LOADS - 1)
              at = r.index (tile, k);
          }
      }
    else
      {
#pragma unroll
        for (int k = R::LOADS - 1; k >= 0; k--)
          {
            b.init ();
            b.take (v[k]);
            if (b.value () == best)
              {
                vector = v[k];
                at = r.index (tile, k);
              }
          }
      }
  }
  /* The worst value there is may stand for nothing but NaN: then only every element tells.  */
  __device__ __forceinline__ bool decided () const { return X (0.5) == X (0) || best != B::worst (); }
  template <class F> __device__ __forceinline__ void step (typename F::A *a) const
  {
    if (at < 0)
      return;
    int e0 = R::V - 1;          /* if no other has it */
    X x = vector.at (e0);
#pragma unroll
    for (int e = R::V - 2; e >= 0; e--)
      if (vector.at (e) == best)
        {
          e0 = e;
          x = vector.at (e);
        }
    F::step (a, x, at + e0);
  }
};

#endif
