/* Results that lie on the device, finished there.  */

#include "problems.h"
#include "stream.h"
#include "../../kernels/engine/finish.h"

gpr_status
gpr_cuda_root_mean (gpr_cuda_state *s, void *values, bool single, int64_t count, double n)
{
  const gpr_root_mean_args a = { values, count, n };
  gpr_cuda_slot *slot;

  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  GPR_TRY (gpr_cuda_launch (s, gpr_engine_root_mean (single), gpr_min64 (gpr_over (count, GPR_FINISH_THREADS), 32 * s->multiprocessors),
                            GPR_FINISH_THREADS, 0, &a));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  return gpr_cuda_drain (s);
}
