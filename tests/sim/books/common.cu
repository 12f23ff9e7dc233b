/* Plain kernels in styles that texts have in common; all are right.  */

#include <algorithm>
#include <assert.h>
#include <cooperative_groups.h>
#define FULL_MASK 0xffffffff

__global__ void stride_and_atomic (const float *x, float *out, int n)
{
  float sum = 0.f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += x[i];
  atomicAdd (out, sum);
}
PLAIN_REDUCE (stride_and_atomic, float, v.grid_stride = true, atomic_out (v))

template <typename T> __inline__ __device__ T warp_sum_xor (T v)
{
#pragma unroll
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    v += __shfl_xor_sync (FULL_MASK, v, mask);
  return v;
}
template <typename T> __inline__ __device__ T block_sum_xor (T v)
{
  static __shared__ T shared[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  v = warp_sum_xor (v);
  if (lane == 0)
    shared[warp] = v;
  __syncthreads ();
  v = threadIdx.x < blockDim.x / warpSize ? shared[lane] : 0;
  return warp == 0 ? warp_sum_xor (v) : v;
}
template <class T> __global__ void xor_tree (T *in, T *out, int n)
{
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    sum += in[i];
  sum = block_sum_xor (sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
PLAIN_REDUCE_BY_TYPE (xor_tree, v.grid_stride = true)

__device__ int count_together (int *counter)
{
  auto g = cooperative_groups::coalesced_threads ();
  int first = 0;
  if (g.thread_rank () == 0)
    first = atomicAdd (counter, g.size ());
  return g.shfl (first, 0) + g.thread_rank ();
}
__global__ void warp_aggregated (const int *x, int *out, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < x[i]; k++)
      count_together (out);
}
PLAIN_REDUCE (warp_aggregated, int, atomic_out (v))

/* As NVIDIA's guide does it: a plain read, then compare-and-swap until nobody came between.  */
__device__ float max_by_cas (float *address, float v)
{
  int *word = (int *) address, old = *word, assumed;
  do
    {
      assumed = old;
      old = atomicCAS (word, assumed, __float_as_int (fmaxf (v, __int_as_float (assumed))));
    }
  while (assumed != old);
  return __int_as_float (old);
}
__global__ void cas_max (const float *x, float *out, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    max_by_cas (out, x[i]);
}
PLAIN_REDUCE (cas_max, float, atomic_out (v), reduces (v, LADDER_MAX))

__global__ void static_and_dynamic (const double *x, double *y, size_t n)
{
  extern __shared__ double turned[];
  __shared__ double total;
  const size_t i = (size_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    total = 0.0;
  turned[threadIdx.x] = i < n ? __ldg (&x[i]) : 0.0;
  __syncthreads ();
  atomicAdd (&total, turned[blockDim.x - 1 - threadIdx.x]);
  __syncthreads ();
  if (threadIdx.x == 0)
    y[blockIdx.x] = total;
}
PLAIN_REDUCE (static_and_dynamic, double)

__global__ void by_float4 (const float *in, float *out, int n)
{
  float s = 0;
  const int t = blockIdx.x * blockDim.x + threadIdx.x, rest = t + n / 4 * 4;
  for (int i = t; i < n / 4; i += blockDim.x * gridDim.x)
    {
      const float4 v = reinterpret_cast<const float4 *> (in)[i];
      s += (v.x + v.y) + (v.z + v.w);
    }
  if (rest < n)
    s += in[rest];
  for (int lanes = 16; lanes; lanes >>= 1)
    s += __shfl_down_sync (~0u, s, lanes);
  if ((threadIdx.x & 31) == 0)
    atomicAdd (out, s);
}
PLAIN_REDUCE (by_float4, float, v.per_thread = 4, atomic_out (v))

template <unsigned B> __global__ void constexpr_and_lambda (const int *x, int *y, int n)
{
  constexpr int per = B >= 256 ? 4 : 2;
  __shared__ int s[B];
  auto add = [] __device__ (int a, int b) { return a + b; };
  int v {};
#pragma unroll
  for (int k = 0; k < per; ++k)
    for (int i = blockIdx.x * B * per + k * B + threadIdx.x; i < n; i += gridDim.x * B * per)
      v = add (v, x[i]);
  s[threadIdx.x] = v;
  if constexpr (B > 512)
    {
      __syncthreads ();
      if (threadIdx.x < 512)
        s[threadIdx.x] = add (s[threadIdx.x], s[threadIdx.x + 512]);
    }
  __syncthreads ();
  for (unsigned d = (B > 512 ? 512 : B) / 2; d; d /= 2)
    {
      if (threadIdx.x < d)
        s[threadIdx.x] = add (s[threadIdx.x], s[threadIdx.x + d]);
      __syncthreads ();
    }
  if (! threadIdx.x)
    y[blockIdx.x] = s[0];
}
PLAIN_REDUCE_BY_BLOCK (constexpr_and_lambda, int, v.grid_stride = true)

__global__ void asserts_and_std (const int *x, int *y, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert (n >= 0);
  int v = i < n ? std::max (x[i], std::min (0, x[i])) : 0;
  v = __reduce_add_sync (0xffffffffu, v);
  if (threadIdx.x % 32 == 0)
    atomicAdd (y, v);
}
PLAIN_REDUCE (asserts_and_std, int, atomic_out (v))

/* Names that the system's headers and ladder.h have too.  */
__global__ void index (const int *x, int *y, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd (y, x[i]);
}
PLAIN_REDUCE (index, int, atomic_out (v))
__global__ void shared (const int *x, int *y, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd (y, x[i]);
}
PLAIN_REDUCE (shared, int, atomic_out (v))

/* It looks at no memory for long, and waits for nobody.  */
__global__ void computes_long (const int *x, int *y, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = i;
  for (int k = 0; k < 200000; k++)
    v = v * 1664525u + 1013904223u;
  if (i < n)
    atomicAdd (y, x[i] + (v == 12345u));
}
PLAIN_REDUCE (computes_long, int, atomic_out (v))
