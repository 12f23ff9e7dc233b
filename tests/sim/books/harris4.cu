/* The first addition during the load.  */

__global__ void harris4 (int *in, int *out)
{
  extern __shared__ int s4[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;

  s4[t] = in[i] + in[i + blockDim.x];
  __syncthreads ();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1)
    {
      if (t < step)
        s4[t] += s4[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s4[0];
}

PLAIN_REDUCE (harris4, int, v.per_thread = 2)
