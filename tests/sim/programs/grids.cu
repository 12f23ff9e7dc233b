/* Grids and blocks of two and three dimensions, a matrix with pitch, a launch in a macro, device lambdas' like.  */

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <functional>

#define TILE 8
#define LAUNCH(kernel, grid, block, ...) do { kernel<<<grid, block>>> (__VA_ARGS__); check (cudaPeekAtLastError ()); } while (0)

static void check (cudaError_t e)
{
  if (e)
    {
      printf ("<<<%s>>>\n", cudaGetErrorString (e));
      exit (2);
    }
}

namespace matrices
{
  __global__ void transpose (float *out, const float *in, int rows, int columns)
  {
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < columns && y < rows)
      tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
    __syncthreads ();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < rows && y < columns)
      out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
  }
}

__global__ void ranks (int *out)
{
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block;
}

__global__ void rows_of (char *base, size_t pitch, int rows, int columns)
{
  int row = blockIdx.x;
  float *r = (float *) (base + row * pitch);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    r[i] += row;
}

template <class F> __global__ void apply (F f, int *x, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = f (i);
}
struct times { int by; __host__ __device__ int operator() (int i) const { return i * by; } };

__global__ void index (int *shared, int n = 0)
{
  assert (blockDim.x <= 1024);
  shared[threadIdx.x] = max (n, min ((int) threadIdx.x, 5));
}

int main ()
{
  const int rows = 37, columns = 21, n = rows * columns;
  float *h = new float[n], *d_in, *d_out;
  for (int i = 0; i < n; i++)
    h[i] = i;
  check (cudaMalloc (&d_in, n * sizeof *d_in));
  check (cudaMalloc (&d_out, n * sizeof *d_out));
  check (cudaMemcpy (d_in, h, n * sizeof *h, cudaMemcpyHostToDevice));
  dim3 block (TILE, TILE), grid ((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  LAUNCH (matrices::transpose, grid, block, d_out, d_in, rows, columns);
  check (cudaMemcpy (h, d_out, n * sizeof *h, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      wrong += h[c * rows + r] != r * columns + c;

  int *d_ranks, all[24 * 24];
  cudaMalloc (&d_ranks, sizeof all);
  ranks<<<dim3 (2, 3, 4), dim3 (4, 3, 2)>>> (d_ranks);
  cudaMemcpy (all, d_ranks, sizeof all, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24 * 24; i++)
    wrong += all[i] != i / 24;

  size_t pitch;
  char *d_rows;
  float small[5][7] = {};
  cudaMallocPitch ((void **) &d_rows, &pitch, 7 * sizeof (float), 5);
  cudaMemcpy2D (d_rows, pitch, small, sizeof small[0], sizeof small[0], 5, cudaMemcpyHostToDevice);
  rows_of<<<5, 32>>> (d_rows, pitch, 5, 7);
  cudaMemcpy2D (small, sizeof small[0], d_rows, pitch, sizeof small[0], 5, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 35; i++)
    wrong += small[i / 7][i % 7] != i / 7;

  apply<<<18, 32>>> (times { 3 }, d_ranks, 24 * 24);
  cudaMemcpy (all, d_ranks, sizeof all, cudaMemcpyDeviceToHost);
  wrong += all[575] != 3 * 575;
  index<<<1, 8>>> (d_ranks, 2);
  cudaMemcpy (all, d_ranks, 8 * sizeof (int), cudaMemcpyDeviceToHost);
  wrong += all[0] != 2 || all[7] != 5;
  printf ("%d wrong\n", wrong);
  delete[] h;
  cudaFree (d_in); cudaFree (d_out); cudaFree (d_ranks); cudaFree (d_rows);
  return wrong;
}
