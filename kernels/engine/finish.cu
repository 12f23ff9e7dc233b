#include "finish.h"

template <class T>
__global__ void __launch_bounds__ (GPR_FINISH_THREADS) root_mean_k (const gpr_root_mean_args a)
{
  for (i64 i = (i64) blockIdx.x * blockDim.x + threadIdx.x; i < a.count; i += (i64) gridDim.x * blockDim.x)
    {
      T *y = (T *) a.value + i;
      if (*y == *y)
        *y = sqrt (*y / (T) a.n);
    }
}

extern "C" const void *gpr_engine_root_mean (bool single)
{
  return single ? (const void *) root_mean_k<f32> : (const void *) root_mean_k<f64>;
}
