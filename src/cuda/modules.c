/* The modules of variants that are in use, and on which devices.  */

#include "modules.h"
#include "../../kernels/ladder/variant.h"

static struct {
  const gpr_ladder_module *module;
  bool on[GPR_CUDA_DEVICES];
} used[256];
enum { MODULES = sizeof used / sizeof *used };

gpr_status
gpr_cuda_use_module (const gpr_cuda_state *s, const gpr_ladder_module *m)
{
  int at = 0;

  while (at < MODULES && used[at].module && used[at].module != m)
    at++;
  if (at == MODULES)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "at most %d modules of variants run in one process; start Octave again", MODULES);
  used[at].module = m;
  used[at].on[s->number] = true;
  GPR_CUDA_TRY ((cudaError_t) m->use (s->number), "choosing the GPU");
  return GPR_OK;
}

void
gpr_cuda_reset_modules (int device)
{
  for (int i = 0; i < MODULES && used[i].module; i++)
    if (used[i].on[device])
      {
        used[i].on[device] = false;
        used[i].module->reset (device);
      }
}

gpr_status
gpr_cuda_delay (const gpr_cuda_state *s, const gpr_ladder_module *m)
{
  ladder_reduce_args a = { .n = 30000 };
  GPR_CUDA_TRY ((cudaError_t) m->launch (m->delay (), LADDER_SUM, LADDER_INT32, 32, 1, 0, &a, s->work, false), "timing a kernel");
  return GPR_OK;
}
