/* Ranges and random numbers on the device.  */

#include "problems.h"
#include "stream.h"
#include "../core/generate.h"
#include "../../kernels/engine/generate.h"

gpr_status
gpr_cuda_generate (gpr_cuda_state *s, const gpr_generation *g)
{
  const gpr_generate_args a = { g->z, g->count, g->seed, g->position, g->least, g->many, g->first, g->step, g->last };
  const int64_t blocks = gpr_over (g->count, gpr_generation_each (g));
  const void *kernel = g->kind == GPR_INTEGERS ? gpr_engine_integers (g->elem) : g->kind != GPR_RANGE ? gpr_engine_random ((int) g->kind, g->elem)
                       : g->elem == GPR_f64 ? gpr_engine_range () : NULL;
  gpr_cuda_slot *slot;

  if (! kernel)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "random numbers of element type %d", (int) g->elem);
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, kernel, gpr_min64 (gpr_over (blocks, GPR_GENERATE_THREADS), 32 * s->multiprocessors), GPR_GENERATE_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_drain (s);
}
