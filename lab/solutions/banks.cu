/* banks: the same sum without bank conflicts.

   What divergence does: thread t adds s[k + stride] to s[k], with k = 2 * stride * t.  The
   lanes of a warp are 2, 4, 8, ... words apart, and meet in the same banks.  Write a
   loop in which the lanes of a warp touch neighbouring words: let each step add the
   second half of what is left to the first half.  */

__global__ void banks (const int *in, int *out, unsigned n)
{
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();

  unsigned half = blockDim.x / 2;
  while (half > 0)
    {
      if (t < half)
        s[t] += s[t + half];
      __syncthreads ();
      half /= 2;
    }

  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE (banks, int)
