/* Interleaved addressing, bank conflicts.  */

__global__ void harris2 (int *in, int *out)
{
  extern __shared__ int s2[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;

  s2[t] = in[i];
  __syncthreads ();
  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      int k = 2 * step * t;
      if (k < blockDim.x)
        s2[k] += s2[k + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s2[0];
}

PLAIN_REDUCE (harris2, int)
