/* Kernels that print.  */

#include "ladder.h"

#define HEAD \
  int t = threadIdx.x; \
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t
#define VARIANT(name) \
  LADDER_VARIANT (name) \
  { \
    v.finishes = 1u << LADDER_ATOMIC; \
    v.default_finish = LADDER_ATOMIC; \
    REDUCE_KERNELS (v, name); \
  }

/* Whole lines, parts of lines and several lines at once.  */
template <class Op> __global__ void prints (reduce_args<Op> a)
{
  HEAD;
  if (i < a.n)
    atomic_combine<Op> (a.result, a.x[i]);
  if (i == 33)
    {
      printf ("%s of %d, ", "half", 7);
      printf ("%.2f", 3.5);
      printf ("\n");
      printf ("two\nlines\n");
    }
  if (i == 70)
    printf ("no end");
  if (i == 71)
    printf ("100%%\n");
}
VARIANT (prints)

/* A line of each thread, and a long one.  */
template <class Op> __global__ void prints_much (reduce_args<Op> a)
{
  HEAD;
  if (i < a.n)
    atomic_combine<Op> (a.result, a.x[i]);
  if (i == 0)
    printf ("%0900d\n", 1);
  if (i < a.n)
    printf ("element %d\n", (int) i);
}
VARIANT (prints_much)

/* What it has printed is there however it ends.  */
template <class Op> __global__ void prints_and_hangs (reduce_args<Op> a)
{
  HEAD;
  if (i == 3)
    printf ("before the end\n");
  for (int k = 0; k >= 0; k = (k + 1) % 1000)
    __syncthreads ();
  finish (a, Op::identity ());
}
VARIANT (prints_and_hangs)
