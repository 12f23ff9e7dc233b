/* A dot product in managed memory, by shuffles; a struct with methods, a stream, pinned memory.  */

#include <cstdio>
#include <memory>
#include <stdexcept>

static void check (cudaError_t e, const char *what)
{
  if (e != cudaSuccess)
    throw std::runtime_error (what);
}

__device__ double warp_sum (double v)
{
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2)
    v += __shfl_down_sync (0xffffffff, v, lanes);
  return v;
}

__global__ void dot (const double *__restrict__ x, const double *__restrict__ y, double *result, int n)
{
  __shared__ double sums[32];
  double v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    v += x[i] * y[i];
  v = warp_sum (v);
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0)
    sums[warp] = v;
  __syncthreads ();
  if (warp == 0)
    {
      v = warp_sum (lane < blockDim.x / warpSize ? sums[lane] : 0);
      if (lane == 0)
        atomicAdd (result, v);
    }
}

struct vector
{
  double *data;
  int n;
  explicit vector (int count) : n (count) { check (cudaMallocManaged (&data, n * sizeof (double)), "no memory"); }
  ~vector () { cudaFree (data); }
  double &operator[] (int i) { return data[i]; }
};

int main ()
{
  const int n = 5000;
  vector x (n), y (n), result (1);
  for (int i = 0; i < n; i++)
    {
      x[i] = i % 10;
      y[i] = 2;
    }
  result[0] = 0;
  cudaStream_t stream;
  check (cudaStreamCreate (&stream), "no stream");
  int minimal = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize (&minimal, &block, dot, 0, 0);
  dot<<<4, 256, 0, stream>>> (x.data, y.data, result.data, n);
  check (cudaGetLastError (), "no launch");
  cudaStreamSynchronize (stream);
  double *pinned;
  cudaMallocHost (&pinned, sizeof (double));
  check (cudaMemcpyAsync (pinned, result.data, sizeof (double), cudaMemcpyDefault, stream), "no copy");
  cudaDeviceSynchronize ();
  printf ("%g %g\n", result[0], *pinned);
  cudaFreeHost (pinned);
  cudaStreamDestroy (stream);
  try
    {
      vector huge (2000000000);
    }
  catch (const std::runtime_error &e)
    {
      puts (e.what ());
    }
  return 0;
}
