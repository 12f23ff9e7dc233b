/* Kernels in other common styles, all of them right.  */

#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <stdio.h>

/* One block, in its input.  */
__global__ void in_place (float *input, float *output)
{
  unsigned i = 2 * threadIdx.x;
  for (unsigned stride = 1; stride <= blockDim.x; stride *= 2)
    {
      if (threadIdx.x % stride == 0)
        input[i] += input[i + stride];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    *output = input[0];
}
PLAIN_REDUCE (in_place, float, v.name = "book_in_place", v.per_thread = 2)

/* A block takes several tiles, and adds its sum to the one result.  */
#define BLOCK_DIM 256
#define COARSE_FACTOR 4
__global__ void coarsened (float *input, float *output, int n)
{
  __shared__ float input_s[BLOCK_DIM];
  int t = threadIdx.x, segment = COARSE_FACTOR * blockDim.x * blockIdx.x;
  float sum = 0.0f;

  for (int tile = 0; tile < COARSE_FACTOR; tile++)
    if (segment + tile * BLOCK_DIM + t < n)
      sum += input[segment + tile * BLOCK_DIM + t];
  input_s[t] = sum;
  for (int stride = blockDim.x / 2; stride >= 1; stride /= 2)
    {
      __syncthreads ();
      if (t < stride)
        input_s[t] += input_s[t + stride];
    }
  if (t == 0)
    atomicAdd (output, input_s[0]);
}
PLAIN_REDUCE (coarsened, float, atomic_out (v), v.per_thread = COARSE_FACTOR, v.blocks = 1u << 3, v.shared_per_thread = 0)

/* Blocks of two dimensions, in a tile of two dimensions.  */
__global__ void two_dimensions (const double *in, double *out, size_t n)
{
  __shared__ double tile[16][17];
  dim3 d = blockDim;
  unsigned t = threadIdx.y * d.x + threadIdx.x;
  size_t i = (size_t) blockIdx.x * d.x * d.y * d.z + t;

  tile[threadIdx.y][threadIdx.x] = i < n ? in[i] : 0.0;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      double row = 0;
      for (unsigned x = 0; x < d.x; x++)
        row += tile[threadIdx.y][x];
      tile[threadIdx.y][0] = row;
    }
  __syncthreads ();
  if (threadIdx.x == 0 && threadIdx.y == 0)
    {
      double all = 0;
      for (unsigned y = 0; y < d.y; y++)
        all += tile[y][0];
      out[blockIdx.x] = all;
    }
}
PLAIN_REDUCE (two_dimensions, double, v.block_y = 16, v.blocks = 1u << 3, v.shared_per_thread = 0)

/* Blocks of three; the output comes first.  */
__global__ void three_dimensions (int *out, const int *in, unsigned long long n)
{
  namespace cg = cooperative_groups;
  auto block = cg::this_thread_block ();
  unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  unsigned long long i = (unsigned long long) blockIdx.x * block.size () + block.thread_rank ();
  __shared__ int sum;

  if (t == 0)
    sum = 0;
  block.sync ();
  if (i < n)
    atomicAdd (&sum, in[i]);
  block.sync ();
  if (t == 0)
    out[blockIdx.x] = sum;
}
PLAIN_REDUCE (three_dimensions, int, v.block_y = 4, v.block_z = 2, v.shared_per_thread = 0)

/* Two arrays in the one dynamic memory, of other types and under another name.  */
__global__ void two_arrays (const int *in, int *out, int n)
{
  extern __shared__ __align__ (16) unsigned char bytes[];
  int *values = (int *) bytes;
  short *marks = (short *) (values + blockDim.x);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  values[t] = i < n ? in[i] : 0;
  marks[t] = i < n;
  __syncthreads ();
  if (t == 0)
    {
      int sum = 0;
      for (int k = 0; k < blockDim.x; k++)
        sum += marks[k] ? values[k] : 0;
      out[blockIdx.x] = sum;
    }
}
PLAIN_REDUCE (two_arrays, int, v.shared_per_thread = 2)

/* 16 bytes a load.  */
__global__ void by_four (const float *__restrict__ in, float *__restrict__ out, int n)
{
  float sum = 0;
  int width = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i < n / 4; i += width)
    {
      float4 v = reinterpret_cast<const float4 *> (in)[i];
      sum += (v.x + v.y) + (v.z + v.w);
    }
  for (int i = n / 4 * 4 + first; i < n; i += width)
    sum += in[i];
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    sum += __shfl_xor_sync (0xffffffff, sum, offset);
  if (threadIdx.x % warpSize == 0)
    atomicAdd (out, sum);
}
PLAIN_REDUCE (by_four, float, atomic_out (v), v.grid_stride = true, v.shared_per_thread = 0)

/* A maximum.  */
__global__ void greatest (const int *in, int *out, int n)
{
  __shared__ int most;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    most = INT_MIN;
  __syncthreads ();
  if (i < n)
    atomicMax (&most, in[i]);
  __syncthreads ();
  if (threadIdx.x == 0)
    atomicMax (out, most);
}
PLAIN_REDUCE (greatest, int, atomic_out (v), reduces (v, LADDER_MAX), v.shared_per_thread = 0)

/* The lanes that have an element left, and cuda::atomic_ref.  */
__global__ void coalesced (const int *in, int *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    {
      auto g = cooperative_groups::coalesced_threads ();
      int sum = cooperative_groups::reduce (g, in[i], cooperative_groups::plus<int> ());
      if (g.thread_rank () == 0)
        {
          cuda::atomic_ref<int, cuda::thread_scope_device> all (*out);
          all.fetch_add (sum, cuda::std::memory_order_relaxed);
        }
    }
}
PLAIN_REDUCE (coalesced, int, atomic_out (v), v.shared_per_thread = 0)

/* A constant, a counter of the device, the heap, bits and clocks.  */
__constant__ float unit[2] = { 0.0f, 1.0f };
__global__ void odds_and_ends (const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, good = 1;
  long long begin = clock64 ();
  clock_t also = clock ();
  float *room = (float *) malloc (2 * sizeof (float));

  room[0] = i < n ? in[i] : 0.0f;
  room[1] = unit[1];
  good = good && __brev (1u) == 0x80000000u && __ffs (8) == 4 && __popc (0xf0u) == 4 && __clz (1) == 31 && __ffsll (1ll << 40) == 41;
  good = good && __fmaf_rn (2.0f, 3.0f, 1.0f) == 7.0f && __fma_rn (2.0, 3.0, 1.0) == 7.0 && __umulhi (1u << 31, 4u) == 2;
  __half h = __float2half (0.1f), third = __float2half (1.0f / 3);
  good = good && fabsf (__half2float (h) - 0.1f) < 1e-4f && __half2float (__hadd (h, third)) > 0.43f && __half2float (__float2half (2049.0f)) == 2048.0f;
  good = good && clock64 () >= begin && clock () >= also;
  if (good && i < n)
    atomicAdd (out, __fmaf_rn (room[0], room[1], 0.0f));
  free (room);
}
PLAIN_REDUCE (odds_and_ends, float, atomic_out (v), v.shared_per_thread = 0)
