/* An array on the device as one of another class.  */

#include "problems.h"
#include "sizes.h"
#include "stream.h"
#include "../../kernels/engine/convert.h"

gpr_status
gpr_cuda_convert (gpr_cuda_state *s, const gpr_conversion *p)
{
  const int vector = GPR_CONVERT_VECTOR (gpr_bytes_of (p->from), gpr_bytes_of (p->to));
  const bool vectors = (uintptr_t) p->x % (uintptr_t) (vector * gpr_bytes_of (p->from)) == 0 && (uintptr_t) p->y % (uintptr_t) (vector * gpr_bytes_of (p->to)) == 0;
  const gpr_convert_args a = { p->x, p->y, p->count, p->to, vectors };
  const void *kernel = gpr_engine_convert (p->from);
  gpr_cuda_slot *slot;

  if (! kernel)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "converting element type %d", (int) p->from);
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch_elements (s, kernel, gpr_over (p->count, 2 * vector * GPR_CONVERT_THREADS), GPR_CONVERT_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_drain (s);
}
