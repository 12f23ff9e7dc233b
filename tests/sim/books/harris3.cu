/* Sequential addressing.  */

extern __shared__ int s3[];

__global__ void harris3 (int *in, int *out)
{
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + threadIdx.x;

  s3[t] = in[i];
  __syncthreads ();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1)
    {
      if (t < step)
        s3[t] += s3[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s3[0];
}

PLAIN_REDUCE (harris3, int)
