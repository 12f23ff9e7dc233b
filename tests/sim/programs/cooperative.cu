/* One cooperative launch with grid syncs, more shared memory than a launch has unasked; by kernel pointers too.  */

#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void sum_all (const int *x, int *partial, int *result, int n)
{
  extern __shared__ int large[];
  cg::grid_group grid = cg::this_grid ();
  cg::thread_block block = cg::this_thread_block ();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32> (block);
  int v = 0;
  for (int i = (int) grid.thread_rank (); i < n; i += (int) grid.size ())
    v += x[i];
  large[block.thread_rank () * 64] = cg::reduce (warp, v, cg::plus<int> ());
  block.sync ();
  if (block.thread_rank () == 0)
    {
      int sum = 0;
      for (unsigned w = 0; w < block.size (); w += 32)
        sum += large[w * 64];
      partial[blockIdx.x] = sum;
    }
  grid.sync ();
  if (grid.thread_rank () == 0)
    {
      *result = 0;
      for (unsigned b = 0; b < gridDim.x; b++)
        *result += partial[b];
    }
}

__global__ void scale (int *x, int by)
{
  x[threadIdx.x] *= by;
}

int main ()
{
  int n = 3000, blocks = 0, device = 0, cooperative = 0, *x, *partial, *result;
  cudaGetDevice (&device);
  cudaDeviceGetAttribute (&cooperative, cudaDevAttrCooperativeLaunch, device);
  cudaMallocManaged (&x, n * sizeof (int));
  cudaMallocManaged (&result, sizeof (int));
  for (int i = 0; i < n; i++)
    x[i] = i & 3;
  const int threads = 256, bytes = threads * 64 * sizeof (int);
  cudaFuncSetAttribute (sum_all, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor (&blocks, sum_all, threads, bytes);
  cudaMalloc (&partial, 4 * blocks * sizeof (int));
  void *args[] = { &x, &partial, &result, &n };
  cudaError_t e = cudaLaunchCooperativeKernel ((void *) sum_all, dim3 (4 * blocks), dim3 (threads), args, bytes, 0);
  cudaDeviceSynchronize ();
  printf ("%d %d: %d, %s\n", cooperative, blocks, *result, cudaGetErrorName (e));
  e = cudaLaunchCooperativeKernel ((void *) sum_all, 1000, threads, args, bytes, 0);
  printf ("%s\n", cudaGetErrorName (e));
  void (*kernel) (int *, int) = scale;
  kernel<<<1, 32>>> (x, 5);
  (*kernel)<<<1, 32>>> (x, 2);
  int by = 3;
  void *more[] = { &x, &by };
  cudaLaunchKernel ((const void *) scale, 1, 32, more, 0, 0);
  cudaDeviceSynchronize ();
  printf ("%d\n", x[2]);
  cudaDeviceReset ();
}
