/* The last warp unrolled.  volatile made its lanes see each other as long as they went in step;
   now each step is: read, __syncwarp, write, __syncwarp.  */

static __device__ void last_warp5 (volatile int *s, unsigned t)
{
  int v = s[t];
  v += s[t + 32]; __syncwarp (); s[t] = v; __syncwarp ();
  v += s[t + 16]; __syncwarp (); s[t] = v; __syncwarp ();
  v += s[t + 8]; __syncwarp (); s[t] = v; __syncwarp ();
  v += s[t + 4]; __syncwarp (); s[t] = v; __syncwarp ();
  v += s[t + 2]; __syncwarp (); s[t] = v; __syncwarp ();
  v += s[t + 1]; __syncwarp (); s[t] = v;
}

__global__ void harris5 (int *in, int *out)
{
  extern __shared__ int s5[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;

  s5[t] = in[i] + in[i + blockDim.x];
  __syncthreads ();
  for (unsigned step = blockDim.x / 2; step > 32; step >>= 1)
    {
      if (t < step)
        s5[t] += s5[t + step];
      __syncthreads ();
    }
  if (t < 32)
    last_warp5 (s5, t);
  if (t == 0)
    out[blockIdx.x] = s5[0];
}

PLAIN_REDUCE (harris5, int, v.per_thread = 2, v.blocks = LADDER_ALL_BLOCKS & ~1u)
