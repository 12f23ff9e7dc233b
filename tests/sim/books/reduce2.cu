/* Sequential addressing: the stride halves.  */

#include "shared_of.h"

template <class T>
__global__ void reduce2 (T *in, T *out, unsigned int n)
{
  T *s = shared_of<T> ();
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1)
    {
      if (t < step)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE_BY_TYPE (reduce2, v.name = "book_reduce2")
