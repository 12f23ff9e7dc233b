/* Interleaved addressing by a modulo, in dynamic shared memory of the element's type.  */

#include "shared_of.h"

template <class T>
__global__ void reduce0 (T *in, T *out, unsigned int n)
{
  T *s = shared_of<T> ();
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;

  s[t] = i < n ? in[i] : 0;
  __syncthreads ();
  for (unsigned step = 1; step < blockDim.x; step *= 2)
    {
      if (t % (2 * step) == 0)
        s[t] += s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

PLAIN_REDUCE_BY_TYPE (reduce0, v.name = "book_reduce0")
