/* A sum in two launches of a template, the second of one block; the same with the end on the host.  */

#include <iostream>
#include <numeric>
#include <vector>
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

template <typename T, unsigned int blockSize>
__global__ void reduce (const T *g_in, T *g_out, unsigned int n)
{
  extern __shared__ T sdata[];
  unsigned int tid = threadIdx.x;
  T sum = 0;
  for (unsigned int i = blockIdx.x * blockSize + tid; i < n; i += blockSize * gridDim.x)
    sum += g_in[i];
  sdata[tid] = sum;
  __syncthreads ();
#pragma unroll
  for (unsigned int s = blockSize / 2; s > 0; s >>= 1)
    {
      if (tid < s)
        sdata[tid] += sdata[tid + s];
      __syncthreads ();
    }
  if (tid == 0)
    g_out[blockIdx.x] = sdata[0];
}

template <unsigned int blockSize>
void launch (const int *in, int *out, unsigned int n, dim3 grid)
{
  const dim3 block (blockSize, 1, 1);
  reduce<int, blockSize>
    <<<grid, block, blockSize * sizeof (int)>>>
    (in, out, n);
}

int main (void)
{
  const unsigned int n = 100003, blocks = 16;
  std::vector<int> h (n), partial (blocks);
  std::iota (h.begin (), h.end (), 0);
  int *d_in = NULL, *d_partial = NULL, *d_out = NULL, result = 0;
  cudaMalloc ((void **) &d_in, n * sizeof (int));
  cudaMalloc (reinterpret_cast<void **> (&d_partial), blocks * sizeof (int));
  cudaMalloc (&d_out, sizeof (int));
  cudaEvent_t start, stop;
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  cudaMemcpy (d_in, &h[0], n * sizeof (int), cudaMemcpyHostToDevice);
  cudaEventRecord (start);
  launch<256> (d_in, d_partial, n, blocks);
  launch<128> (d_partial, d_out, blocks, 1);
  cudaEventRecord (stop);
  cudaEventSynchronize (stop);
  float ms = -1;
  cudaEventElapsedTime (&ms, start, stop);
  cudaMemcpy (&result, d_out, sizeof (int), cudaMemcpyDeviceToHost);
  cudaMemcpy (partial.data (), d_partial, blocks * sizeof (int), cudaMemcpyDeviceToHost);
  const int on_host = std::accumulate (partial.begin (), partial.end (), 0), wanted = std::accumulate (h.begin (), h.end (), 0);
  std::cout << "sum " << (result == wanted ? "right" : "wrong") << ", on the host " << (on_host == wanted ? "right" : "wrong")
            << ", time " << (ms >= 0 ? "told" : "none") << std::endl;
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  cudaFree (d_in);
  cudaFree (d_partial);
  cudaFree (d_out);
  return 0;
}
