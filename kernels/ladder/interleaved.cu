/* interleaved: the stride halves: the block's second half is added to the first.

   Change from neighbored_less: the stride starts at half of the block and
   halves; thread t works at index t.
   Better: neighbouring lanes touch neighbouring elements, so an access of a warp
   is a few whole sectors.
   Still wrong: every step reads and writes global memory, although nobody but
   this block wants to know.
   Work B - 1 a block of B, steps log2 B, barriers log2 B.
   Limit: traffic of all the steps: the elements are read twice, half of them
   written, and so on down.  */

#include "ladder.h"

template <class Op>
__global__ void interleaved (reduce_args<Op> a)
{
  int t = threadIdx.x;
  int64_t first = (int64_t) blockIdx.x * blockDim.x;
  typename Op::T *x = a.x + first;      /* the block's own, */
  int64_t here = a.n - first;           /* so many of them or more */

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2)
    {
      if (t < stride && t + stride < here)
        x[t] = Op::combine (x[t], x[t + stride]);
      __syncthreads ();
    }
  finish (a, x[0]);
}

LADDER_VARIANT (interleaved)
{
  v.rank = 40;
  v.aliases = "G level 1";
  v.idea = "the same in global memory, the stride halves";
  v.lesson = "contiguous active threads";
  v.wrong = "every step goes to global memory";
  v.source = "the guide's level 1, corrected";
  v.in_place = true;
  REDUCE_KERNELS (v, interleaved);
}
