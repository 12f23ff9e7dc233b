/* Kernels and launches as course homework has them, wrong and right: the argument names which.  The fault is in the
   line marked HERE; nothing is wrong with those of kind "".  */

#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

struct best_of { float value; int index; };
__host__ __device__ best_of better (best_of a, best_of b)
{
  return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}
template <bool BARRIER> __global__ void argmax (const float *x, best_of *out, int n)
{
  __shared__ best_of s[128];
  best_of mine = { -FLT_MAX, n };
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      best_of one = { x[i], i };
      mine = better (mine, one);
    }
  s[threadIdx.x] = mine;
  __syncthreads ();
  for (int d = blockDim.x / 2; d > 0; d /= 2)
    {
      if (threadIdx.x < d)
        s[threadIdx.x] = better (s[threadIdx.x], s[threadIdx.x + d]);       /* HERE argmax_without_barrier */
      if (BARRIER)
        __syncthreads ();
    }
  if (threadIdx.x == 0)
    *out = s[0];
}

struct moments { float n, mean, squares; };
__device__ moments merged (moments a, moments b)
{
  moments r;
  const float d = b.mean - a.mean;
  r.n = a.n + b.n;
  r.mean = r.n > 0 ? a.mean + d * b.n / r.n : 0;
  r.squares = a.squares + b.squares + (r.n > 0 ? d * d * a.n * b.n / r.n : 0);
  return r;
}
__global__ void variance (const float *x, float *out, int n)
{
  __shared__ moments s[128];
  moments mine = { 0, 0, 0 };
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      moments one = { 1, x[i], 0 };
      mine = merged (mine, one);
    }
  s[threadIdx.x] = mine;                                /* LOAD */
  for (int d = blockDim.x / 2; d > 0; d /= 2)
    {
      if (threadIdx.x < d)
        s[threadIdx.x] = merged (s[threadIdx.x], s[threadIdx.x + d]);       /* HERE variance_without_barrier */
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    *out = s[0].squares / (s[0].n - 1);
}

__global__ void bins_unset (const float *x, int *bins, int n)
{
  __shared__ int own[16];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    atomicAdd (&own[(int) x[i] & 15], 1);               /* HERE bins_unset */
  __syncthreads ();
  if (threadIdx.x < 16)
    atomicAdd (&bins[threadIdx.x], own[threadIdx.x]);
}

__device__ void raise_to (int *to, int v)
{
  int seen = *to, before;                               /* HERE greatest_unset */
  do
    {
      before = seen;
      if (before >= v)
        break;
      seen = atomicCAS (to, before, v);
    }
  while (seen != before);
}
__global__ void greatest (const float *x, int *out, int n)
{
  __shared__ int most;
  if (threadIdx.x < n)
    raise_to (&most, (int) x[threadIdx.x]);
  __syncthreads ();
  *out = most;
}

__global__ void total (const float *x, float *out, int n)
{
  __shared__ float sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads ();
  if (threadIdx.x < n)
    sum += x[threadIdx.x];                              /* HERE total_without_atomic */
  __syncthreads ();
  if (threadIdx.x == 0)
    *out = sum;
}
__global__ void where_negative (const float *x, int *out, int n)
{
  if (threadIdx.x < n && x[threadIdx.x] < 100)
    *out = threadIdx.x;                                 /* HERE all_to_one_place */
}
__global__ void scan_in_place (float *x, int n)
{
  extern __shared__ float s[];
  s[threadIdx.x] = x[threadIdx.x];                      /* HERE elements_for_bytes */
  __syncthreads ();
  for (int d = 1; d < n; d *= 2)
    {
      if (threadIdx.x >= d)
        s[threadIdx.x] += s[threadIdx.x - d];           /* HERE scan_in_place */
      __syncthreads ();
    }
  x[threadIdx.x] = s[threadIdx.x];
}
__global__ void half_a_warp (float *x, int n)
{
  float v = x[threadIdx.x];
  if (threadIdx.x < n)
    v += __shfl_down_sync (0xffffffff, v, 1);           /* HERE shuffle_in_branch */
  __syncthreads ();
  x[threadIdx.x] = v;
}

__device__ unsigned arrived;
__global__ void last_block (const float *x, float *sums, int n)
{
  __shared__ bool last;
  if (threadIdx.x == 0)
    {
      sums[blockIdx.x] = x[blockIdx.x];
      last = atomicAdd (&arrived, 1) == gridDim.x - 1;
    }
  __syncthreads ();
  if (last && threadIdx.x == 0)
    for (int b = 1; b < gridDim.x; b++)
      sums[0] += sums[b];                               /* HERE no_fence */
}

__constant__ float factors[4];
__global__ void scaled (float *x) { x[threadIdx.x] *= factors[threadIdx.x % 4]; }

/* Elements that are kept, at places that a warp counts together.  */
__global__ void kept (const float *x, int *count, int n)
{
  const bool keep = threadIdx.x < n && x[threadIdx.x] > 50;
  const unsigned mask = __ballot_sync (0xffffffff, keep);
  if (threadIdx.x % 32 == 0)
    atomicAdd (count, __popc (mask));
}

static const char *const kinds[] = { "argmax_without_barrier:race", "variance_without_barrier:race", "bins_unset:uninitialised read",
  "greatest_unset:uninitialised read", "total_without_atomic:race", "all_to_one_place:race", "scan_in_place:race", "elements_for_bytes:out of bounds",
  "shuffle_in_branch:shuffle from a missing lane", "no_fence:race", "constant_by_name:wrong copy", "argmax_right:", "kept_right:" };

int main (int argc, char **argv)
{
  const int n = 128;
  float h[n], *x, *out;
  const char *name = argc > 1 ? argv[1] : "";
  auto wanted = [=] (const char *this_one) { return ! strcmp (name, this_one); };
  for (int i = 0; i < n; i++)
    h[i] = i * 37 % 101;
  if (argc < 2)
    for (const char *kind : kinds)
      puts (kind);
  cudaMalloc (&x, sizeof h);
  cudaMalloc (&out, sizeof h);
  cudaMemcpy (x, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemset (out, 0, sizeof h);
  if (wanted ("argmax_without_barrier")) argmax<false><<<1, 128>>> (x, (best_of *) out, n);
  if (wanted ("argmax_right")) argmax<true><<<1, 128>>> (x, (best_of *) out, n);
  if (wanted ("variance_without_barrier")) variance<<<1, 128>>> (x, out, n);
  if (wanted ("bins_unset")) bins_unset<<<1, 64>>> (x, (int *) out, n);
  if (wanted ("greatest_unset")) greatest<<<1, 64>>> (x, (int *) out, n);
  if (wanted ("total_without_atomic")) total<<<1, 64>>> (x, out, n);
  if (wanted ("all_to_one_place")) where_negative<<<1, 64>>> (x, (int *) out, n);
  if (wanted ("scan_in_place")) scan_in_place<<<1, n, n * sizeof (float)>>> (x, n);
  if (wanted ("elements_for_bytes")) scan_in_place<<<1, n, n>>> (x, n);
  if (wanted ("shuffle_in_branch")) half_a_warp<<<1, 32>>> (x, 16);
  if (wanted ("no_fence")) last_block<<<4, 32>>> (x, out, n);
  if (wanted ("constant_by_name")) cudaMemcpy (factors, h, sizeof factors, cudaMemcpyHostToDevice);      /* HERE constant_by_name */
  if (wanted ("kept_right")) kept<<<1, 128>>> (x, (int *) out, n);
  scaled<<<1, 1>>> (x);
  int two[2];
  cudaMemcpy (two, out, sizeof two, cudaMemcpyDeviceToHost);
  if (argc > 1)
    printf ("%d %d\n", two[0], two[1]);
  cudaFree (x);
  cudaFree (out);
  return 0;
}
