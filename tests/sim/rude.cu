/* A file that misbehaves before anything runs, as the environment says.  */

#include <stdlib.h>
#include <string.h>

#include "ladder.h"

struct rude_start
{
  rude_start ()
  {
    const char *how = getenv ("RUDE");
    if (how && ! strcmp (how, "crash"))
      abort ();
    if (how && ! strcmp (how, "exit"))
      exit (0);
    while (how && ! strcmp (how, "hang"))
      __asm__ volatile ("");
  }
};
static rude_start start;

template <class Op>
__global__ void rude (reduce_args<Op> a)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.n)
    atomic_combine<Op> (a.result, a.x[i]);
}

LADDER_VARIANT (rude)
{
  v.finishes = 1u << LADDER_TWO_PASS | 1u << LADDER_ATOMIC;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, rude);
}
