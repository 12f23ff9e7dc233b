/* Kernels in common styles, wrong and right, as whole programs launch them: the argument names which.  The fault is in
   the line marked HERE; nothing is wrong with those of kind "".  */

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;
const int N = 512;

__global__ void bins_not_ready (const int *x, int *bins)
{
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  atomicAdd (&s[x[threadIdx.x] & 15], 1);               /* HERE bins_not_ready */
  __syncthreads ();
  if (threadIdx.x < 16) bins[threadIdx.x] = s[threadIdx.x];
}
__global__ void grid_waits (int *x)
{
  x[blockIdx.x] = 1;
  cg::this_grid ().sync ();                             /* HERE grid_waits */
}
__global__ void plain_sum (const int *x, int *sum)
{
  *sum += x[blockIdx.x * blockDim.x + threadIdx.x];     /* HERE plain_sum */ /* HERE host_stack */
}
__global__ void atomic_sum (const int *x, int *sum)
{
  atomicAdd (sum, x[threadIdx.x]);                      /* HERE not_zeroed */
}
__global__ void reversed (const int *x, int *y)
{
  extern __shared__ int s[];
  s[threadIdx.x] = x[threadIdx.x];                      /* HERE elements_for_bytes */
  __syncthreads ();
  y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void transpose (int *out, const int *in)
{
  __shared__ int tile[16][17];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 16 + threadIdx.x];
  out[threadIdx.y * 16 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];         /* HERE tile_not_ready */
}
struct list { int *data; int n; };
__global__ void of_list (list *l)
{
  l->data[threadIdx.x % l->n] = 1;                      /* HERE deep_pointer */
}
struct owner
{
  int *p;
  owner () { cudaMalloc (&p, N * sizeof (int)); }
  ~owner () { cudaFree (p); }                           /* HERE owner_by_value */
};
__global__ void of_owner (owner o) { o.p[threadIdx.x] = 1; }
__global__ void asserts (unsigned n) { assert (threadIdx.x < n); }              /* HERE assertion */
__device__ unsigned int tickets;
__global__ void last_block (const int *x, int *partial, int *out, bool fences)
{
  __shared__ bool last;
  if (threadIdx.x == 0)
    {
      partial[blockIdx.x] = x[blockIdx.x];
      if (fences) __threadfence ();
      last = atomicInc (&tickets, gridDim.x - 1) == gridDim.x - 1;
    }
  __syncthreads ();
  if (last && threadIdx.x == 0)
    {
      int s = 0;
      for (unsigned i = 0; i < gridDim.x; i++) s += partial[i];                 /* HERE no_fence */
      *out = s;
    }
}
__device__ int sum_of (cg::thread_group g, int *temp, int v)
{
  const int lane = g.thread_rank ();
  for (int i = g.size () / 2; i > 0; i /= 2)
    {
      temp[lane] = v;
      g.sync ();
      if (lane < i) v += temp[lane + i];
      g.sync ();
    }
  return v;
}
__global__ void by_groups (int *sum, const int *x)
{
  extern __shared__ int temp[];
  auto block = cg::this_thread_block ();
  const int all = sum_of (block, temp, x[block.thread_rank ()]);
  const int some = sum_of (cg::tiled_partition (block, 32), &temp[block.thread_rank () / 32 * 32], 1);
  auto tile = cg::tiled_partition<32> (block);
  const int rank = cg::inclusive_scan (tile, 1), before = cg::exclusive_scan (tile, 1);
  assert (rank == (int) tile.thread_rank () + 1 && before == rank - 1);
  if (block.thread_rank () == 0) atomicAdd (sum, all + some);
}
/* NVIDIA's guide has such a loop for types without an instruction.  */
__device__ double add_by_cas (double *p, double v)
{
  unsigned long long *word = (unsigned long long *) p, old = *word, assumed;
  do
    {
      assumed = old;
      old = atomicCAS (word, assumed, __double_as_longlong (v + __longlong_as_double (assumed)));
    }
  while (assumed != old);
  return __longlong_as_double (old);
}
__global__ void cas_sum (double *sum) { add_by_cas (sum, threadIdx.x); }
__global__ void peeks (const int *x, int *count, int *seen)
{
  atomicAdd (count, x[threadIdx.x]);                    /* HERE peeks */
  seen[threadIdx.x] = *count;
}
__global__ void on_heap (int *o)
{
  int *p = new int[4];
  for (int i = 0; i < 4; i++) p[i] = i * threadIdx.x;
  o[threadIdx.x] = p[3] + __byte_perm (0x44332211, 0, 0x4440);
  delete[] p;
}

static const char *const kinds[] = { "bins_not_ready:race", "grid_waits:deadlock", "plain_sum:race", "not_zeroed:uninitialised read",
  "elements_for_bytes:out of bounds", "tile_not_ready:race", "deep_pointer:host memory in a kernel", "host_stack:host memory in a kernel",
  "owner_by_value:wrong free", "assertion:crash", "no_fence:race", "peeks:race", "fence:", "groups:", "cas:", "heap:" };

int main (int argc, char **argv)
{
  static int count = 0;
  const std::string name = argc > 1 ? argv[1] : "";
  int *d, *r, h[N];
  for (int i = 0; i < N; i++)
    h[i] = 1;
  if (name.empty ())
    for (const char *kind : kinds)
      puts (kind);
  cudaMalloc (&d, sizeof h);
  cudaMalloc (&r, sizeof h);
  cudaMemcpy (d, h, sizeof h, cudaMemcpyHostToDevice);
  if (name != "not_zeroed")
    cudaMemset (r, 0, sizeof h);
  if (name == "bins_not_ready") bins_not_ready<<<1, 256>>> (d, r);
  if (name == "grid_waits") grid_waits<<<4, 32>>> (r);
  if (name == "plain_sum") plain_sum<<<2, 256>>> (d, r);
  if (name == "host_stack") plain_sum<<<1, 1>>> (h, r);
  if (name == "not_zeroed") atomic_sum<<<1, 256>>> (d, r);
  if (name == "elements_for_bytes") reversed<<<1, 256, 256>>> (d, r);
  if (name == "tile_not_ready") transpose<<<1, dim3 (16, 16)>>> (r, d);
  if (name == "deep_pointer")
    {
      list l = { (int *) malloc (400), 100 }, *on_device;
      cudaMalloc (&on_device, sizeof l);
      cudaMemcpy (on_device, &l, sizeof l, cudaMemcpyHostToDevice);
      of_list<<<1, 32>>> (on_device);
    }
  if (name == "owner_by_value")
    {
      owner o;
      of_owner<<<1, 32>>> (o);
    }
  if (name == "assertion") asserts<<<1, 64>>> (50);
  if (name == "no_fence") last_block<<<8, 32>>> (d, r, r + 100, false);
  if (name == "fence") last_block<<<8, 32>>> (d, r, r + 100, true);
  if (name == "peeks") peeks<<<1, 32>>> (d, r, r + 1);
  if (name == "groups") by_groups<<<1, 128, 128 * sizeof (int)>>> (r, d);
  if (name == "cas") cas_sum<<<2, 256>>> ((double *) r);
  if (name == "heap") on_heap<<<1, 8>>> (r);
  double sum;
  cudaMemcpy (&count, r + (name == "fence" ? 100 : name == "heap" ? 7 : 0), sizeof count, cudaMemcpyDeviceToHost);
  cudaMemcpy (&sum, r, sizeof sum, cudaMemcpyDeviceToHost);
  if (! name.empty ())
    std::cout << (name == "cas" ? sum : count) << std::endl;
  cudaFree (d);
  cudaFree (r);
}
