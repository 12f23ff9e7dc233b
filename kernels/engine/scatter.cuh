/* What the kernels of accumarray have in common.  */

#ifndef GPR_SCATTER_CUH
#define GPR_SCATTER_CUH

#include "scatter.h"

#define GRID_STRIDE(i, n) \
  for (int64_t i = (int64_t) blockIdx.x * GPR_SCATTER_THREADS + threadIdx.x; i < (n); \
       i += (int64_t) gridDim.x * GPR_SCATTER_THREADS)

/* A block's memory, as much as its launch says.  */
#ifndef GPR_BLOCK_MEMORY
#define GPR_BLOCK_MEMORY(raw) extern __shared__ __align__ (16) unsigned char raw[]
#endif

static __device__ __forceinline__ bool is_nan (f64 x) { return x != x; }
static __device__ __forceinline__ bool is_nan (f32 x) { return x != x; }
static __device__ __forceinline__ bool is_nan (c128 z) { return gpr_nan_c128 (z); }
static __device__ __forceinline__ bool is_nan (c64 z) { return gpr_nan_c64 (z); }
template <class A> static __device__ __forceinline__ A plus (A a, A) { return a; }      /* of integers: never asked for */
static __device__ __forceinline__ f64 plus (f64 a, f64 v) { return a + v; }
static __device__ __forceinline__ f32 plus (f32 a, f32 v) { return a + v; }
static __device__ __forceinline__ c128 plus (c128 a, c128 v) { a.re += v.re; a.im += v.im; return a; }
static __device__ __forceinline__ c64 plus (c64 a, c64 v) { a.re += v.re; a.im += v.im; return a; }
static __device__ __forceinline__ f64 careful_plus (f64 a, f64 v) { return gpr_plus_f64 (a, v); }
static __device__ __forceinline__ f32 careful_plus (f32 a, f32 v) { return gpr_plus_f32 (a, v); }
static __device__ __forceinline__ c128 careful_plus (c128 a, c128 v) { return gpr_plus_c128 (a, v); }
static __device__ __forceinline__ c64 careful_plus (c64 a, c64 v) { return gpr_plus_c64 (a, v); }
static __device__ __forceinline__ f64 careful_by (f64 a, f64 v) { return gpr_by_f64 (a, v); }
static __device__ __forceinline__ f32 careful_by (f32 a, f32 v) { return gpr_by_f32 (a, v); }

/* What an output's type takes: integers are only compared, complex numbers only
   added.  Which NaN it is matters only once there is one.  */
template <class A>
struct accumulator {
  static __device__ A take (int op, A a, const A *v, int count)
  {
    if (op == GPR_SCATTER_MAX)
      for (int j = 0; j < count; j++)
        a = GPR_LARGER (a, v[j]);
    else
      for (int j = 0; j < count; j++)
        a = GPR_SMALLER (a, v[j]);
    return a;
  }
};

template <class A>
static __device__ __forceinline__ A add_up (A a, const A *v, int count)
{
  A sum = a;
  for (int j = 0; j < count; j++)
    sum = plus (sum, v[j]);
  if (is_nan (sum))
    for (int j = 0; j < count; j++)
      a = careful_plus (a, v[j]);
  else
    a = sum;
  return a;
}

template <class A>
static __device__ __forceinline__ A multiply_up (A a, const A *v, int count)
{
  A product = a;
  for (int j = 0; j < count; j++)
    product *= v[j];
  if (is_nan (product))
    for (int j = 0; j < count; j++)
      a = careful_by (a, v[j]);
  else
    a = product;
  return a;
}

#define FLOAT_ACCUMULATOR(A) \
template <> struct accumulator<A> { \
  static __device__ A take (int op, A a, const A *v, int count) \
  { \
    if (op == GPR_SCATTER_SUM) \
      return add_up (a, v, count); \
    if (op == GPR_SCATTER_PROD) \
      return multiply_up (a, v, count); \
    if (op == GPR_SCATTER_MAX) \
      for (int j = 0; j < count; j++) \
        a = GPR_LARGER (a, v[j]); \
    else \
      for (int j = 0; j < count; j++) \
        a = GPR_SMALLER (a, v[j]); \
    return a; \
  } \
};
#define COMPLEX_ACCUMULATOR(A) \
template <> struct accumulator<A> { \
  static __device__ A take (int, A a, const A *v, int count) { return add_up (a, v, count); } \
};
FLOAT_ACCUMULATOR (f64) FLOAT_ACCUMULATOR (f32) COMPLEX_ACCUMULATOR (c128) COMPLEX_ACCUMULATOR (c64)

template <class A, class X> struct widened { static __device__ __forceinline__ A of (X x) { return (A) x; } };
template <class A> struct widened<A, A> { static __device__ __forceinline__ A of (A x) { return x; } };

/* b is of later elements than a.  */
template <class A>
static __device__ __forceinline__ A merged (int op, A a, A b) { return accumulator<A>::take (op, a, &b, 1); }

#endif
