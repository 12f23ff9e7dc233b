#include "convert.h"
#include "../ops/convert.h"
#include "map.h"
#include "map/elements.cuh"

/* A thread takes two vectors of neighbours, a block apart.  A kernel for each class that is read, since what it writes matters less than how often.  */
template <class X, class Y, class OF> static __device__ __forceinline__ void convert_all (const gpr_convert_args &a, OF of)
{
  enum { V = GPR_CONVERT_VECTOR (sizeof (X), sizeof (Y)), APART = V * GPR_CONVERT_THREADS };
  const X *x = (const X *) a.x;
  Y *y = (Y *) a.y;

  for (i64 tile = (i64) blockIdx.x * 2 * APART; tile < a.count; tile += (i64) gridDim.x * 2 * APART)
    {
      const i64 first = tile + threadIdx.x * V;
      if (a.vectors && tile + 2 * APART <= a.count)
        {
          map_vector<X, V> v[2];
          map_vector<Y, V> w[2];
#pragma unroll
          for (int k = 0; k < 2; k++)
            v[k] = *(const map_vector<X, V> *) (x + first + k * APART);
#pragma unroll
          for (int k = 0; k < 2; k++)
            {
#pragma unroll
              for (int j = 0; j < V; j++)
                w[k].v[j] = of (v[k].v[j]);
              map_store (y + first + k * APART, w[k]);
            }
          continue;
        }
      for (i64 i = tile + threadIdx.x; i < a.count && i < tile + 2 * APART; i += GPR_CONVERT_THREADS)
        y[i] = of (x[i]);
    }
}
#define CONVERT_CASE(Y, X) case GPR_##Y: convert_all<X, Y> (a, [] (X v) { return gpr_##Y##_of_##X (v); }); break;
#define CONVERT_KERNEL(X) \
  __global__ void __launch_bounds__ (GPR_CONVERT_THREADS) convert_##X##_k (const gpr_convert_args a) \
  { \
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
