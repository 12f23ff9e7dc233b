/* my_reduce: a kernel of your own.  It is right as it is, and slow.

   Copy this file, write your idea into it, and in Octave

     gpu_variant_add ("my_reduce.cu")
     gpu_reduce (x, "sum", "variant", "my_reduce")
     gpu_trace ("my_reduce", 1000, 64)      # look at it, step by step
     gpu_bench ("variants", {"my_reduce", "sequential"})  # is it faster?

   It runs in the simulator, which says where it reads beyond the end, races or
   waits for ever, and, where there is a GPU, there.

   The same code serves sum, max, min and prod of double, single and int32:

     T                     the type of the elements
     Op::identity ()       what changes nothing: 0 for sum, 1 for prod, …
     Op::combine (p, q)    p + q for sum, the greater for max, …

   Rules: any a.n from 1 on must come out right, with any block of 32, 64, … 1024
   threads; and all threads of a block come to every barrier (no early return).
   The kernels beside ladder.h are examples, from the slowest to the fastest.

   A kernel as a book prints it, (int *in, int *out, int n), needs no more than a line
   after it, PLAIN_REDUCE (my_kernel, int): see help gpu_variant_add.  */

#include "ladder.h"

template <class Op>
__global__ void my_reduce (reduce_args<Op> a)
{
  typedef typename Op::T T;
  T *s = shared<T> ();          /* the block's own memory: as much as v.shared_… below says */
  int t = threadIdx.x;          /* 0 … blockDim.x - 1 */
  int64_t i = (int64_t) blockIdx.x * blockDim.x + t;    /* this thread's element */

  /* 1. Load.  A thread beyond the end takes what changes nothing.
     Exercise: more than one element a thread?  Then v.per_thread = 2, or a loop over
     the grid, i += (int64_t) gridDim.x * blockDim.x, and v.grid_stride = true.  */
  s[t] = i < a.n ? a.x[i] : Op::identity ();
  __syncthreads ();             /* what others wrote to s is there after this only */

  /* 2. Combine the block's values into one.
     Exercise: thread 0 does all the work here, and the others wait.  Make them help:
     half of them can combine two values each, then a quarter, …, with a barrier
     after each step.  */
  T v = Op::identity ();
  if (t == 0)
    for (int k = 0; k < blockDim.x; k++)
      v = Op::combine (v, s[k]);

  /* 3. Hand it on.  All threads come here; the value of thread 0 is taken.  */
  finish (a, v);
}

LADDER_VARIANT (my_reduce)      /* the name that gpu_reduce knows it by */
{
  v.rank = 500;                 /* its place in the list */
  v.idea = "what it does, in a clause";
  v.lesson = "";
  v.wrong = "one thread of each block does all the work";
  v.source = "my own";
  v.shared_per_thread = 1;      /* values of shared memory for each thread */
  /* v.per_thread = 2;             a block takes so many elements for each thread */
  /* v.grid_stride = true;         the kernel loops over the grid */
  /* v.default_block = 128;        when the call does not say; else 256 */
  REDUCE_KERNELS (v, my_reduce);        /* every operator and type */
}
