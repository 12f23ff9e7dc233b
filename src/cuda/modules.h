/* Modules of ladder variants.  Each has a CUDA runtime of its own; all runtimes work in
   the device's one context, so that streams and memory are the same to all.  */

#ifndef GPR_CUDA_MODULES_H
#define GPR_CUDA_MODULES_H

#include "device.h"
#include "../core/variant_run.h"

/* The module works on that device from now on; and after the device's reset.  */
gpr_status gpr_cuda_use_module (const gpr_cuda_state *s, const gpr_ladder_module *m);
void gpr_cuda_reset_modules (int device);

/* Keeps the GPU waiting until the host has queued the launches: their cost on the
   host is not the kernels'.  */
gpr_status gpr_cuda_delay (const gpr_cuda_state *s, const gpr_ladder_module *m);

#endif
