/* The first program of every text: two vectors are added, each call is checked.  */

#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call)                                                       \
  do {                                                                    \
    cudaError_t err = call;                                               \
    if (err != cudaSuccess) {                                             \
      fprintf (stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString (err)); \
      exit (EXIT_FAILURE);                                                \
    }                                                                     \
  } while (0)

__global__ void add (const float *a, const float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main (int argc, char **argv)
{
  const int n = 1000;
  size_t bytes = n * sizeof (float);
  std::vector<float> a (n), b (n), c (n);
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = 2 * i;
    }
  float *d_a, *d_b, *d_c;
  CHECK (cudaMalloc (&d_a, bytes));
  CHECK (cudaMalloc ((void **) &d_b, bytes));
  CHECK (cudaMalloc ((void **) &d_c, bytes));
  CHECK (cudaMemcpy (d_a, a.data (), bytes, cudaMemcpyHostToDevice));
  CHECK (cudaMemcpy (d_b, b.data (), bytes, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>> (d_a, d_b, d_c, n);
  CHECK (cudaGetLastError ());
  CHECK (cudaMemcpy (c.data (), d_c, bytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < n; i++)
    wrong += c[i] != 3 * i;
  printf ("%d of %d are wrong%s\n", wrong, n, argc > 1 ? argv[1] : "");
  cudaFree (d_a);
  cudaFree (d_b);
  cudaFree (d_c);
  return argc > 2 ? atoi (argv[2]) : wrong != 0;
}
