/* Interleaved addressing by a strided index: neighbouring threads work, banks conflict.  */

#include "shared_of.h"

template <class T>
__global__ void reduce1 (T *in, T *out, unsigned int n)
{
  T *s = shared_of<T> ();
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();
  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      unsigned k = 2 * step * t;
      if (k < blockDim.x)
        s[k] += s[k + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE_BY_TYPE (reduce1, v.name = "book_reduce1")
