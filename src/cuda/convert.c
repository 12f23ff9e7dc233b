/* An array on the device as one of another class.  */

#include "problems.h"
#include "stream.h"
#include "../../kernels/engine/convert.h"

gpr_status
gpr_cuda_convert (gpr_cuda_state *s, const gpr_conversion *p)
{
  const gpr_convert_args a = { p->x, p->y, p->count, p->to };
  const void *kernel = gpr_engine_convert (p->from);
  gpr_cuda_slot *slot;

  if (! kernel)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "converting element type %d", (int) p->from);
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, kernel, gpr_min64 (gpr_over (p->count, GPR_CONVERT_THREADS), 32 * s->multiprocessors), GPR_CONVERT_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_drain (s);
}
