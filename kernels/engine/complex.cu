/* Elementwise operations on complex arrays whose sizes broadcast.  */

#include "complex.h"

static __device__ __forceinline__ i64 complex_offset (const gpr_complex_args &a, int k, i64 i)
{
  i64 at = 0;
  for (int d = 0; d < a.rank - 1; d++)
    {
      const i64 next = i / a.dims[d];
      at += (i - next * a.dims[d]) * a.strides[k][d];
      i = next;
    }
  return at + i * a.strides[k][a.rank - 1];
}

/* A thread's elements; of one operand both are the same.  */
template <int EACH, class X> static __device__ __forceinline__ void complex_load (const gpr_complex_args &a, int k, i64 first, X number, X *x)
{
  const X *from = (const X *) a.x[k];
  const i64 stride = a.strides[k][0];
  if (from && a.rank == 1)
    {
#pragma unroll
      for (int j = 0; j < EACH; j++)
        if (first + j * GPR_COMPLEX_THREADS < a.count)
          x[j] = from[(first + j * GPR_COMPLEX_THREADS) * stride];
      return;
    }
#pragma unroll
  for (int j = 0; j < EACH; j++)
    if (first + j * GPR_COMPLEX_THREADS < a.count)
      x[j] = from ? from[complex_offset (a, k, first + j * GPR_COMPLEX_THREADS)] : number;
}

template <class X> static __device__ __forceinline__ X complex_number (const gpr_complex_args &, int) { return X (); }
template <> __device__ __forceinline__ f64 complex_number<f64> (const gpr_complex_args &a, int k) { return a.number[k]; }
template <> __device__ __forceinline__ f32 complex_number<f32> (const gpr_complex_args &a, int k) { return (f32) a.number[k]; }

template <class Z> static __device__ __forceinline__ int complex_has_imaginary (Z) { return 0; }
template <> __device__ __forceinline__ int complex_has_imaginary (c128 z) { return z.im != 0; }
template <> __device__ __forceinline__ int complex_has_imaginary (c64 z) { return z.im != 0; }

/* A thread's elements are a block apart, and all are read before one is written.  found is on the host: a block writes there once, or all
   would wait for the bus.  */
#define COMPLEX_KERNEL(name, kind, T, X, Y, Z) \
__global__ void __launch_bounds__ (GPR_COMPLEX_THREADS) complex_##name##_##kind##_##T##_k (const gpr_complex_args a) \
{ \
  constexpr int EACH = GPR_COMPLEX_EACH (sizeof (T) == sizeof (f32)); \
  const i64 tile = GPR_COMPLEX_THREADS * EACH; \
  const X x_number = complex_number<X> (a, 0); \
  const Y y_number = complex_number<Y> (a, 1); \
  int found = 0; \
  for (i64 first = blockIdx.x * tile + threadIdx.x; first < a.count; first += gridDim.x * tile) \
    { \
      X x[EACH]; \
      Y y[EACH]; \
      complex_load<EACH> (a, 0, first, x_number, x); \
      complex_load<EACH> (a, 1, first, y_number, y); \
      _Pragma ("unroll") \
      for (int j = 0; j < EACH; j++) \
        if (first + j * GPR_COMPLEX_THREADS < a.count) \
          { \
            const Z z = gpr_complex_##name##_##kind##_##T (x[j], y[j]); \
            ((Z *) a.z)[first + j * GPR_COMPLEX_THREADS] = z; \
            found |= complex_has_imaginary (z); \
          } \
    } \
  if (__syncthreads_or (found) && threadIdx.x == 0) \
    *a.found = 1; \
}
GPR_COMPLEX_INSTANCES (COMPLEX_KERNEL)

#define COMPLEX_CASE(name, kind, T, X, Y, Z) \
  if (single == (sizeof (T) == sizeof (f32)) && op == GPR_COMPLEX_##name && from == GPR_COMPLEX_##kind) \
    return (const void *) complex_##name##_##kind##_##T##_k;
extern "C" const void *gpr_engine_complex (int single, gpr_complex_op op, gpr_complex_kind from)
{
  GPR_COMPLEX_INSTANCES (COMPLEX_CASE)
  return 0;
}
