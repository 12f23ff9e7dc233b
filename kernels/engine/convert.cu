#include "convert.h"
#include "../ops/convert.h"

/* A kernel for each class that is read, since what it writes matters less than how often.  */
#define CONVERT_CASE(Y, X) \
  case GPR_##Y: \
    _Pragma ("unroll 4") \
    for (; i < a.count; i += step) \
      ((Y *) a.y)[i] = gpr_##Y##_of_##X (x[i]); \
    break;
#define CONVERT_KERNEL(X) \
  __global__ void __launch_bounds__ (GPR_CONVERT_THREADS) convert_##X##_k (const gpr_convert_args a) \
  { \
    const X *x = (const X *) a.x; \
    const i64 step = (i64) gridDim.x * blockDim.x; \
    i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; \
    switch ((int) a.to) \
      { \
      CONVERT_CASE (f64, X) CONVERT_CASE (f32, X) CONVERT_CASE (i8, X) CONVERT_CASE (u8, X) CONVERT_CASE (i16, X) \
      CONVERT_CASE (u16, X) CONVERT_CASE (i32, X) CONVERT_CASE (u32, X) CONVERT_CASE (i64, X) CONVERT_CASE (u64, X) \
      } \
  }
GPR_CONVERT_REALS (CONVERT_KERNEL)

#define CONVERT_FROM(X) case GPR_##X: return (const void *) convert_##X##_k;
extern "C" const void *gpr_engine_convert (enum gpr_elem from)
{
  switch ((int) from)
    {
    GPR_CONVERT_REALS (CONVERT_FROM)
    default: return 0;
    }
}
