/* single_thread: one thread adds everything, as a program for one processor does.

   The first rung; every later one is measured against it.
   Still wrong: thousands of threads could run, and one does.  Its loads wait for
   nothing, but a thread has only a few on their way, so the memory is idle nearly
   always; its additions are a chain, each waits for the one before.
   Work n - 1, steps n - 1, barriers none.
   Limit: the latency of a few loads and of the chain of additions, not any
   bandwidth.  */

#include "ladder.h"

template <class Op>
__global__ void single_thread (reduce_args<Op> a)
{
  typename Op::T v = Op::identity ();

  for (int64_t i = 0; i < a.n; i++)
    v = Op::combine (v, a.x[i]);
  finish (a, v);
}

LADDER_VARIANT (single_thread)
{
  v.rank = 10;
  v.aliases = "V0";
  v.idea = "one thread adds everything";
  v.lesson = "the baseline: under a hundredth of what the memory gives";
  v.wrong = "all threads but one are idle";
  v.source = "V, version 0";
  v.one_thread = true;
  REDUCE_KERNELS (v, single_thread);
}
