/* A file that misbehaves as the environment says: before anything runs, in the
   kernel, or in its descriptor.  */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ladder.h"

static bool asked (const char *what)
{
  const char *how = getenv ("RUDE");
  return how && ! strcmp (how, what);
}

struct rude_start
{
  rude_start ()
  {
    if (asked ("crash"))
      abort ();
    if (asked ("exit"))
      exit (0);
    while (asked ("memory"))
      memset (new char[1 << 24], 1, 1 << 24);
    while (asked ("hang"))
      __asm__ volatile ("");
  }
};
static rude_start start;

template <class Op>
__global__ void rude (reduce_args<Op> a)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 5 && asked ("exit in the kernel"))
    exit (0);
  if (i == 5 && asked ("_exit in the kernel"))
    _exit (3);
  if (i == 5 && asked ("kill in the kernel"))
    kill (getpid (), SIGKILL);
  if (i < a.n)
    atomic_combine<Op> (a.result, a.x[i]);
}

LADDER_VARIANT (rude)
{
  v.finishes = 1u << LADDER_TWO_PASS | 1u << LADDER_ATOMIC;
  v.shared_per_thread = 1;
  REDUCE_KERNELS (v, rude);

  if (asked ("no name"))
    v.name = "not a name";
  if (asked ("no text"))
    v.idea = NULL;
  if (asked ("no family"))
    v.family = 7;
  if (asked ("another family"))
    v.family = LADDER_FAMILY_ARGMAX;
  if (asked ("no elements"))
    v.per_thread = 0;
  if (asked ("less than no memory"))
    v.shared_fixed = -1;
  if (asked ("block of 96"))
    v.default_block = 96;
  if (asked ("another block"))
    v.blocks = 1u;
  if (asked ("less than no elements"))
    v.default_n = -1;
  if (asked ("no finish"))
    v.finishes = 0;
  if (asked ("another finish"))
    v.default_finish = LADDER_GRID_SYNC;
  if (asked ("no such finish"))
    v.default_finish = 17;
  if (asked ("no kernel of the block"))
    for (auto &op : v.kernel)
      for (auto &type : op)
        type[3] = NULL;
  if (asked ("half a scale"))
    v.scale = 0.5;
  if (asked ("no scale"))
    v.scale = 0;
  if (asked ("a map of places"))
    {
      v.family = LADDER_FAMILY_ARGMAX;
      v.bias = 1;
    }
  static ladder_variant nothing;
  if (asked ("no first kernel"))
    v.first = &nothing;
  if (asked ("no kernels"))
    memset (v.kernel, 0, sizeof v.kernel);
}
