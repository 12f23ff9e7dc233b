/* argmax: the greatest element and where it is.  Of equal ones the first counts.

   A pair has a value, p.v, and its index, p.i, and both travel together.  */

#include "ladder.h"

typedef Argmax<int> Op;
typedef Op::T pair;

/* The better of two pairs.  */
static __device__ pair better (pair p, pair q)
{
  return q.v > p.v || (q.v == p.v && q.i < p.i) ? q : p;
}

/* The pair of the lane that is so many lanes above.  */
static __device__ pair pair_of (pair p, int lanes)
{
  p.v = __shfl_down_sync (0xffffffffu, p.v, lanes);
  p.i = __shfl_down_sync (0xffffffffu, p.i, lanes);
  return p;
}

__global__ void argmax (reduce_args<Op> a)     /* a.x: the elements, a.n: how many */
{
  __shared__ pair s[32];
  int t = threadIdx.x;
  int64_t me = (int64_t) blockIdx.x * blockDim.x + t, all = (int64_t) gridDim.x * blockDim.x;
  pair best;
  best.v = INT32_MIN;                           /* no element yet: it loses to every other */
  best.i = INT64_MAX;

  for (int64_t i = me; i < a.n; i += all)
    {
      pair p;
      p.v = a.x[i];
      p.i = i;
      best = better (best, p);
    }
  for (int lanes = 16; lanes > 0; lanes /= 2)
    best = better (best, pair_of (best, lanes));
  if (t % 32 == 0)
    s[t / 32] = best;
  __syncthreads ();
  if (t == 0)
    {
      for (int w = 1; w < blockDim.x / 32; w++)
        {
          pair p = s[w];
          best = better (best, p);
        }
      a.partial[blockIdx.x] = best;
    }
}

/* What the kernel is; leave it as it is.  */
LADDER_VARIANT (argmax)
{
  v.family = LADDER_FAMILY_ARGMAX;
  v.grid_stride = true;
  v.finishes = 1u << LADDER_TWO_PASS;
  LADDER_SET (v, LADDER_ARGMAX, LADDER_INT32, argmax)
}
