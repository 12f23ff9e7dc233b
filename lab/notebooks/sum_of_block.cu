/* A kernel as a book prints it, with a mistake.  */

__global__ void sum_of_block (const float *in, float *out, unsigned n)
{
  extern __shared__ float s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
    {
      if (t < step)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE (sum_of_block, float)
