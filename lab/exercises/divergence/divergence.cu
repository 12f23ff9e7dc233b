/* divergence: let the first threads do the work.

   The block adds up its elements in shared memory: neighbours first, then
   neighbours of the sums, twice as far apart in each step.  The ladder's shared_modulo
   does it with

       if (t % (2 * stride) == 0)
         s[t] += s[t + stride];

   so that every warp keeps some lanes at work, ever fewer of them.  Here thread 0 is
   to take the first pair of a step, thread 1 the second, and so on.  */

__global__ void divergence (const int *in, int *out, unsigned n)
{
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();

  for (unsigned stride = 1; stride < blockDim.x; stride *= 2)
    {
      unsigned k = 0;           /* TODO 1: the place of thread t's pair, s[k] and s[k + stride] */
      bool works = false;       /* TODO 2: does the block have such a pair? */

      if (works)
        s[k] += s[k + stride];
      __syncthreads ();
    }

  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE (divergence, int)
