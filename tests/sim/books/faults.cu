/* Plain kernels with a fault each: in the line marked HERE, or nowhere.  */

#define HEAD int t = threadIdx.x, i = blockIdx.x * blockDim.x + t
#define FAULTY(k, kind, ...) PLAIN_REDUCE (k, int, v.fault = kind, ##__VA_ARGS__)

__global__ void no_barrier (int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  s[t] = 0;
  __syncthreads ();
  if (i < n)
    s[t] = in[i];                       /* HERE no_barrier */
  for (int step = blockDim.x / 2; step > 0; step /= 2)
    {
      if (t < step)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (no_barrier, "race")

__global__ void no_barrier_between (int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  s[t] = i < n ? in[i] : 0;
  __syncthreads ();
  for (int step = blockDim.x / 2; step > 0; step /= 2)
    if (t < step)
      s[t] += s[t + step];              /* HERE no_barrier_between */
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (no_barrier_between, "race")

__global__ void one_too_many (const int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  s[t] = i <= n ? in[i] : 0;            /* HERE one_too_many */
  __syncthreads ();
  if (t == 0)
    {
      int sum = 0;
      for (int k = 0; k < blockDim.x; k++)
        sum += s[k];
      out[blockIdx.x] = sum;
    }
}
FAULTY (one_too_many, "out of bounds")

__global__ void all_into_one (const int *in, int *out, int n)
{
  __shared__ int sum;
  HEAD;
  if (t == 0)
    sum = 0;
  __syncthreads ();
  if (i < n)
    sum += in[i];                       /* HERE all_into_one */
  __syncthreads ();
  if (t == 0)
    out[blockIdx.x] = sum;
}
FAULTY (all_into_one, "race")

__global__ void blocks_into_one (const int *in, int *out, int n)
{
  __shared__ int sum;
  HEAD;
  if (t == 0)
    sum = 0;
  __syncthreads ();
  if (i < n)
    atomicAdd (&sum, in[i]);
  __syncthreads ();
  if (t == 0)
    *out += sum;                        /* HERE blocks_into_one */
}
FAULTY (blocks_into_one, "race", atomic_out (v))

__global__ void whole_mask (const int *in, int *out, int n)
{
  HEAD;
  if (i < n)
    {
      int sum = in[i];
      for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync (0xffffffff, sum, step);        /* HERE whole_mask */
      if (t % 32 == 0)
        atomicAdd (out, sum);
    }
}
FAULTY (whole_mask, "shuffle from a missing lane", atomic_out (v))

/* The second stage shuffles by 16 in a mask of the warps' 8 results.  */
__global__ void beyond_the_mask (const int *in, int *out, int n)
{
  __shared__ int s[32];
  HEAD;
  int sum = i < n ? in[i] : 0, warps = blockDim.x / warpSize;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_down_sync (0xffffffff, sum, step);
  if (t % warpSize == 0)
    s[t / warpSize] = sum;
  __syncthreads ();
  unsigned first = __ballot_sync (0xffffffff, t < warps);
  if (t < warps)
    {
      sum = s[t];
      for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync (first, sum, step);             /* HERE beyond_the_mask */
    }
  if (t == 0)
    out[blockIdx.x] = sum;
}
FAULTY (beyond_the_mask, "shuffle from a missing lane")

__global__ void barrier_in_branch (const int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  s[t] = i < n ? in[i] : 0;
  __syncthreads ();
  for (int step = blockDim.x / 2; step > 0; step /= 2)
    if (t < step)
      {
        s[t] += s[t + step];
        __syncthreads ();               /* HERE barrier_in_branch */
      }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (barrier_in_branch, "barrier divergence")

__global__ void early_return (const int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  if (i >= n)
    return;
  s[t] = in[i];
  __syncthreads ();                     /* HERE early_return */
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (early_return, "barrier divergence")

/* The last warp as it was written before lanes had counters of their own.  */
__device__ void last_warp (volatile int *s, int t)
{
  s[t] += s[t + 32];                    /* HERE volatile_warp */
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void volatile_warp (int *in, int *out)
{
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
  s[t] = in[i] + in[i + blockDim.x];
  __syncthreads ();
  for (int step = blockDim.x / 2; step > 32; step >>= 1)
    {
      if (t < step)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t < 32)
    last_warp (s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (volatile_warp, "race", v.per_thread = 2)

__global__ void beyond_shared (const int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  s[t] = i < n ? in[i] : 0;
  s[t + blockDim.x] = 0;                /* HERE beyond_shared */
  __syncthreads ();
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (beyond_shared, "out of bounds")

__global__ void before_shared (const int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  s[t - 1] = i < n ? in[i] : 0;         /* HERE before_shared */
  __syncthreads ();
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (before_shared, "out of bounds")

__global__ void small_array (const int *in, int *out, int n)
{
  __shared__ int s[64];
  HEAD;
  s[t] = i < n ? in[i] : 0;             /* HERE small_array */
  __syncthreads ();
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (small_array, "out of bounds")

__global__ void half_unwritten (const int *in, int *out, int n)
{
  extern __shared__ int s[];
  HEAD;
  if (i < n && t % 2 == 0)
    s[t] = in[i];
  __syncthreads ();
  if (t < 128)
    s[t] += s[t + 128];                 /* HERE half_unwritten */
  if (t == 0)
    out[blockIdx.x] = s[0];
}
FAULTY (half_unwritten, "uninitialised read")

__global__ void heap_overrun (const int *in, int *out, int n)
{
  HEAD;
  int *room = (int *) malloc (4 * sizeof (int));
  for (int k = 0; k < 4; k++)
    room[k] = i < n ? in[i] : 0;
  atomicAdd (out, room[4]);             /* HERE heap_overrun */
}
FAULTY (heap_overrun, "uninitialised read", atomic_out (v))

/* Thread (3, 2, 0) goes too far in its row.  */
__global__ void two_dimensional (const int *in, int *out, int n)
{
  __shared__ int tile[16][16];
  tile[threadIdx.y][threadIdx.x] = in[0];
  __syncthreads ();
  if (threadIdx.x == 3 && threadIdx.y == 2)
    out[blockIdx.x] = tile[threadIdx.y + 14][threadIdx.x];      /* HERE two_dimensional */
}
FAULTY (two_dimensional, "out of bounds", v.block_y = 16)

__global__ void tail_lost (const int *in, int *out, int n)
{
  __shared__ int sum;
  HEAD;
  if (t == 0)
    sum = 0;
  __syncthreads ();
  if (i < n / 256 * 256)
    atomicAdd (&sum, in[i]);
  __syncthreads ();
  if (t == 0)
    out[blockIdx.x] = sum;
}
FAULTY (tail_lost, "wrong result")
