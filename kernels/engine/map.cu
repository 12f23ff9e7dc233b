/* Elementwise expressions: a kernel reads the steps of any of them and takes each for some elements of a thread, so that
   nothing is compiled at run time.  All threads take the same step, and what they read of it comes from the kernel's parameters.
   map_k has all the rules: steps in either precision, and which NaN comes out of two; map_quick_k has steps in one precision.  */

#include "map.h"

#include "map/elements.cuh"
#include "map/steps.cuh"
#include "map/root.cuh"
#include "map/quick.cuh"

__global__ void __launch_bounds__ (GPR_MAP_THREADS) map_k (const __grid_constant__ gpr_map_args a)
{
  constexpr int N = GPR_MAP_EACH;
  int left = 0;

  for (i64 tile = blockIdx.x; tile * GPR_MAP_THREADS * N < a.count; tile += gridDim.x)
    {
      const map_place p = map_tile<N> (a, tile);
      f64 d[N] = {};
      f32 f[N] = {};
      map_cell slot[GPR_MAP_SLOTS][N];
      bool single = false;
      unsigned singles = 0;

      for (int k = 0; k < a.steps; k++)
        {
          const gpr_map_step &s = a.step[k];
          const bool turn = single != (s.single != 0);
          single = s.single != 0;
          left |= single ? map_run<f32, f64> (a, s, p, turn, f, d, slot, singles) : map_run<f64, f32> (a, s, p, turn, d, f, slot, singles);
        }
      if (single)
        map_write<f32> (a, p, f);
      else
        map_write<f64> (a, p, d);
    }
  if (left)
    *a.left = 1;
}

/* So many blocks on a multiprocessor that few registers are spilled: more of them hide more of the waiting.  */
template <class T, int N, int BLOCKS> __global__ void __launch_bounds__ (GPR_MAP_THREADS, BLOCKS) map_quick_k (const __grid_constant__ gpr_map_args a)
{
  int left = 0;

  for (i64 tile = blockIdx.x; tile * GPR_MAP_THREADS * N < a.count; tile += gridDim.x)
    {
      const map_place p = map_tile<N> (a, tile);
      left |= p.whole ? map_quick<T, N> (a, p) : map_again<T, N> (a, p);
    }
  if (left)
    *a.left = 1;
}

extern "C" const void *gpr_engine_map (gpr_map_kernel kernel)
{
  switch (kernel)
    {
    case GPR_MAP_DOUBLES: return (const void *) map_quick_k<f64, GPR_MAP_EACH_DOUBLE, 3>;
    case GPR_MAP_SINGLES: return (const void *) map_quick_k<f32, GPR_MAP_EACH_SINGLE, 3>;
    default: return (const void *) map_k;
    }
}
