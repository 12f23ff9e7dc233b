/* The first addition happens during the load: two elements a thread, the sum in a register.  */

#include "shared_of.h"

template <class T>
__global__ void reduce3 (T *in, T *out, unsigned int n)
{
  T *s = shared_of<T> ();
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;

  T sum = i < n ? in[i] : 0;
  if (i + blockDim.x < n)
    sum += in[i + blockDim.x];
  s[t] = sum;
  __syncthreads ();
  for (unsigned step = blockDim.x / 2; step > 0; step >>= 1)
    {
      if (t < step)
        s[t] = sum = sum + s[t + step];
      __syncthreads ();
    }
  if (t == 0)
    out[blockIdx.x] = sum;
}

PLAIN_REDUCE_BY_TYPE (reduce3, v.name = "book_reduce3", v.per_thread = 2)
