/* Interleaved addressing, divergent branches: whole blocks only.  */

__global__ void harris1 (int *in, int *out)
{
  extern __shared__ int s1[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;

  s1[t] = in[i];
  __syncthreads ();
  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      if (t % (2 * step) == 0)
        s1[t] += s1[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s1[0];
}

PLAIN_REDUCE (harris1, int)
