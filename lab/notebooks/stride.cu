/* Lanes of a warp read elements that lie STRIDE apart; what they read in all is every element once.
   03-memory.m puts the stride in.  */

#define STRIDE 1

__global__ void with_stride (const float *in, float *out, unsigned n)
{
  __shared__ float s[1024];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned rows = n / STRIDE;
  unsigned from = i % rows * STRIDE + i / rows;  /* rows and columns changed: n is a multiple of the stride */

  s[t] = i < n ? in[from] : 0;
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2)
    {
      __syncthreads ();
      if (t < step)
        s[t] += s[t + step];
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE (with_stride, float)
