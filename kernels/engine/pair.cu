/* Elementwise max, min, product and difference of two arrays whose sizes broadcast: as Octave's
   xmax, a NaN loses to a number.  */

#include "engine.h"

#define GPR_PAIR_REAL(X) \
  static __device__ __forceinline__ X pair_of (X x, X y, int op) \
  { \
    return op == GPR_PAIR_TIMES ? gpr_times_##X (x, y) : op == GPR_PAIR_MINUS ? gpr_minus_##X (x, y) \
           : y != y ? x : (op == GPR_PAIR_MAX ? x >= y : x <= y) ? x : y; \
  }
#define GPR_PAIR_COMPLEX(X) \
  static __device__ __forceinline__ X pair_of (X x, X y, int op) \
  { \
    if (op == GPR_PAIR_TIMES || op == GPR_PAIR_MINUS) \
      return op == GPR_PAIR_TIMES ? gpr_times_##X (x, y) : gpr_minus_##X (x, y); \
    auto p = gpr_abs_##X (x), q = gpr_abs_##X (y); \
    return (op == GPR_PAIR_MAX ? p >= q : p <= q) || gpr_nan_##X (x) ? x : y; \
  }
GPR_PAIR_REAL (f64) GPR_PAIR_REAL (f32) GPR_PAIR_REAL (i8) GPR_PAIR_REAL (u8) GPR_PAIR_REAL (i16)
GPR_PAIR_REAL (u16) GPR_PAIR_REAL (i32) GPR_PAIR_REAL (u32) GPR_PAIR_REAL (i64) GPR_PAIR_REAL (u64)
GPR_PAIR_COMPLEX (c128) GPR_PAIR_COMPLEX (c64)

template <class X>
__global__ void __launch_bounds__ (GPR_REDUCE_THREADS) pair_k (const gpr_pair_args a)
{
  for (int64_t i = (int64_t) blockIdx.x * GPR_REDUCE_THREADS + threadIdx.x; i < a.count;
       i += (int64_t) gridDim.x * GPR_REDUCE_THREADS)
    {
      int64_t left = i, at_x = 0, at_y = 0;
      for (int d = 0; d < a.rank - 1; d++)
        {
          int64_t next = left / a.dims[d], k = left - next * a.dims[d];
          at_x += k * a.xs[d];
          at_y += k * a.ys[d];
          left = next;
        }
      at_x += left * a.xs[a.rank - 1];
      at_y += left * a.ys[a.rank - 1];
      ((X *) a.z)[i] = pair_of (((const X *) a.x)[at_x], ((const X *) a.y)[at_y], a.op);
    }
}

#define GPR_PAIR_CASE(X) case GPR_##X: return (const void *) pair_k<X>;
extern "C" const void *gpr_engine_pair (enum gpr_elem elem)
{
  switch ((int) elem)
    {
    GPR_ELEMS (GPR_PAIR_CASE)
    default: return 0;
    }
}
