/* A histogram in shared memory, of a file's worth of bytes; constants and variables of the device.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS 16
__constant__ unsigned char shift;
__device__ unsigned int odd_ones, hosts[2] = { 3, 4 };

__global__ void histogram (const unsigned char *x, size_t n, unsigned int *bins)
{
  __shared__ unsigned int local[BINS];
  for (int k = threadIdx.x; k < BINS; k += blockDim.x)
    local[k] = 0;
  __syncthreads ();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t) gridDim.x * blockDim.x)
    {
      atomicAdd (&local[x[i] >> shift], 1);
      if (x[i] & 1)
        atomicAdd (&odd_ones, 1u);
    }
  __syncthreads ();
  for (int k = threadIdx.x; k < BINS; k += blockDim.x)
    atomicAdd (&bins[k], local[k]);
  if (blockIdx.x == 0 && threadIdx.x < 2)
    hosts[threadIdx.x] += 10;
}

int main ()
{
  const size_t n = 1 << 14;
  unsigned char *h = (unsigned char *) malloc (n), *d, four = 4;
  unsigned int *d_bins, bins[BINS], odd, two[2];
  cudaDeviceProp prop;
  cudaGetDeviceProperties (&prop, 0);
  for (size_t i = 0; i < n; i++)
    h[i] = (unsigned char) (i * 7);
  cudaMalloc (&d, n);
  cudaMalloc (&d_bins, sizeof bins);
  cudaMemset (d_bins, 0, sizeof bins);
  cudaMemcpy (d, h, n, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol (shift, &four, 1);
  histogram <<< 2 * prop.multiProcessorCount, 128 >>> (d, n, d_bins);
  cudaMemcpy (bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol (&odd, odd_ones, sizeof odd);
  cudaMemcpyFromSymbol (two, hosts, sizeof two);
  unsigned int sum = 0;
  for (int k = 0; k < BINS; k++)
    sum += bins[k] == n / BINS;
  printf ("%u bins of %zu, %u odd, %u %u\n", sum, n / BINS, odd, two[0], two[1]);
  free (h);
  cudaFree (d);
  cudaFree (d_bins);
}
