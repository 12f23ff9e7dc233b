/* warp_reduce_hw: one instruction reduces a warp's integers.

   Change from grid_stride: __reduce_add_sync (max, min) for the five shuffles.
   Better: one instruction in place of ten, and every lane has the result.
   Still wrong: 32-bit integers only, and sm_80 and up only; and where the memory
   is the limit, nobody notices.
   Work n - 1, steps n / (blocks * B) + 2, barriers 1 a block.
   Limit: memory, as far as enough loads are on their way.  */

#include "ladder.h"

/* Nothing launches it below sm_80, where these do not exist.  */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
template <class Op> static __device__ int reduce_warp (int v) { return v; }
#else
template <class Op> static __device__ int reduce_warp (int v);
template <> __device__ int reduce_warp<Sum<int>> (int v) { return __reduce_add_sync (0xffffffffu, v); }
template <> __device__ int reduce_warp<Max<int>> (int v) { return __reduce_max_sync (0xffffffffu, v); }
template <> __device__ int reduce_warp<Min<int>> (int v) { return __reduce_min_sync (0xffffffffu, v); }
#endif

template <class Op>
__global__ void warp_reduce_hw (reduce_args<Op> a)
{
  int *s = shared<int> ();
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;

  int v = Op::identity ();
  for (int64_t i = me; i < a.n; i += all)
    v = Op::combine (v, a.x[i]);
  v = reduce_warp<Op> (v);
  if (t % 32 == 0)
    s[t / 32] = v;
  __syncthreads ();
  if (t < 32)
    {
      v = t < blockDim.x / 32 ? s[t] : Op::identity ();
      v = reduce_warp<Op> (v);
    }
  finish (a, v);
}

LADDER_VARIANT (warp_reduce_hw)
{
  v.rank = 170;
  v.aliases = "K7, reduce7";
  v.idea = "__reduce_add_sync and its like, for integers";
  v.lesson = "one instruction a warp, on sm_80 and up";
  v.wrong = "32-bit integers only: sum, max, min";
  v.source = "NVIDIA's program K7; S, section 5";
  v.grid_stride = true;
  v.shared_per_warp = 1;
  v.needs_major = 8;
  LADDER_SET (v, LADDER_SUM, LADDER_INT32, warp_reduce_hw<Sum<int>>)
  LADDER_SET (v, LADDER_MAX, LADDER_INT32, warp_reduce_hw<Max<int>>)
  LADDER_SET (v, LADDER_MIN, LADDER_INT32, warp_reduce_hw<Min<int>>)
}
