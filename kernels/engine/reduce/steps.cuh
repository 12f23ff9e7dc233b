/* Steps of one lane: the elements of a batch go into its accumulator, in order.  */

#ifndef GPR_REDUCE_STEPS_CUH
#define GPR_REDUCE_STEPS_CUH

#include "unit.cuh"

/* Steps of a batch, where the loads of one step take so many bytes of a thread's registers.  */
template <class F, int BYTES> struct gpr_batch_of
{
  static constexpr int most = F::heavy ? 2 : sizeof (typename F::X) == 4 && sizeof (typename F::A) <= 32 ? 2 * gpr_tuned::batch_steps : gpr_tuned::batch_steps, fit = gpr_tuned::batch_bytes / BYTES;
  static constexpr int steps = fit < 1 ? 1 : fit < most ? fit : most;
};

/* Steps over S elements of rows at, at + distance, …, in that order.  */
template <class F, int S>
static __device__ __forceinline__ void gpr_steps (typename F::A *a, const typename F::X *v, int64_t at, int distance)
{
#pragma unroll
  for (int k = 0; k < S; k++)
    F::step (a, v[k], F::indexed ? at + (int64_t) k * distance : 0);
}

/* Long steps have a short way to the same accumulator where none of the S elements is
   special (NaN, a new extreme, one that overflows when squared).  */
template <class F, class A> struct gpr_run { static constexpr bool there = false, few = false; };
template <class F> struct gpr_run<F, moments>
{
  static constexpr bool there = true, few = (F::traits & GPR_OMITS_NAN) == 0;
  /* Of a batch that has fewer elements, the first left.  */
  template <int S> static __device__ __forceinline__ void go_few (moments *a, const typename F::X *v, int left)
  {
    if (left <= 0)
      return;
    const f64 at = a->n == 0 ? (f64) v[0] : a->at;
    a->at = at;
    a->n = a->n + left;
#pragma unroll
    for (int k = 0; k < S; k++)
      if (k < left)
        {
          const f64 d = v[k] - at;
          a->sum = a->sum + d;
          a->squares = a->squares + d * d;
        }
  }
  template <int S> static __device__ __forceinline__ void go (moments *a, const typename F::X *v, int64_t at, int distance)
  {
    f64 x[S];
    bool nan = false;
#pragma unroll
    for (int k = 0; k < S; k++)
      {
        x[k] = v[k];
        nan |= x[k] != x[k];
      }
    if ((F::traits & GPR_OMITS_NAN) && nan)
      gpr_steps<F, S> (a, v, at, distance);
    else
      gpr_moments_run (a, x, S);
  }
};
template <class F> struct gpr_run<F, summary>
{
  static constexpr bool there = true, few = false;
  template <int S> static __device__ __forceinline__ void go (summary *a, const typename F::X *v, int64_t at, int distance)
  {
    f64 x[S];
#pragma unroll
    for (int k = 0; k < S; k++)
      x[k] = v[k];
    if (a->least_at == INT64_MAX || ! gpr_summary_run (a, x, S, at, distance))
      gpr_steps<F, S> (a, v, at, distance);
  }
};
/* Products of floating-point numbers: the steps of a batch in some lanes, without marks (kernels/ops/product.h), if all that they come to
   is of the range in which no bits are lost.  Shorter; and loads stay together: nvcc moves them between long steps.  */
static __device__ __forceinline__ unsigned gpr_size_bits (f64 x) { u64 bits; memcpy (&bits, &x, sizeof bits); return (unsigned) (bits >> 32) & 0x7fffffffu; }
static __device__ __forceinline__ unsigned gpr_size_bits (f32 x) { unsigned bits; memcpy (&bits, &x, sizeof bits); return bits & 0x7fffffffu; }
template <class A> struct gpr_product_range;
template <> struct gpr_product_range<f64> { static constexpr unsigned small = 0x00100000, infinite = 0x7ff00000; };
template <> struct gpr_product_range<f32> { static constexpr unsigned small = 0x00800000, infinite = 0x7f800000; };

template <class F, int LANES, int S, class Lane, class Get>
static __device__ __forceinline__ bool gpr_plain_products (Lane lane, Get get)
{
  if constexpr (F::marks)
    {
      typedef typename F::A A;
      A p[LANES];
      unsigned low = ~0u, high = 0;
#pragma unroll
      for (int j = 0; j < LANES; j++)
        {
          p[j] = lane (j);
#pragma unroll
          for (int k = 0; k < S; k++)
            {
              F::step (&p[j], get (j, k), -1);       /* -1: unmarked */
              const unsigned size = gpr_size_bits (p[j]);
              low = size < low ? size : low;
              high = size > high ? size : high;
            }
        }
      if (low < gpr_product_range<A>::small || high >= gpr_product_range<A>::infinite)
        return false;
#pragma unroll
      for (int j = 0; j < LANES; j++)
        lane (j) = p[j];
      return true;
    }
  return false;
}

/* The first left steps of a batch of S; get (k) is the element of step k.  */
template <class F, int S, class Get>
static __device__ __forceinline__ void gpr_batch (typename F::A *a, Get get, int64_t at, int distance, int left)
{
  typedef gpr_run<F, typename F::A> run;
  typename F::X v[S];
#pragma unroll
  for (int k = 0; k < S; k++)
    v[k] = get (k);
  if constexpr (run::there)
    if (left >= S)
      {
        run::template go<S> (a, v, at, distance);
        return;
      }
  if constexpr (run::few)
    {
      run::template go_few<S> (a, v, left);
      return;
    }
  if constexpr (sizeof (typename F::X) <= 2)    /* bound by instructions, not by memory */
    if (left >= S)
      {
        if constexpr (sizeof (typename F::A) == 8 && (F::traits & GPR_INTEGER_SUM) != 0)
          {
            int sum = 0;
#pragma unroll
            for (int k = 0; k < S; k++)
              sum += v[k];
            *a += sum;
          }
        else
          gpr_steps<F, S> (a, v, at, distance);
        return;
      }
#pragma unroll
  for (int k = 0; k < S; k++)
    if (k < left)
      F::step (a, v[k], F::indexed ? at + (int64_t) k * distance : 0);
}

#endif
