/* Ladder variants on the GPU.  Their kernels are in modules of their own, each with
   a CUDA runtime of its own; all work in the device's one context, so that
   streams and memory are the same to all.  */

#ifndef GPR_CUDA_VARIANT_H
#define GPR_CUDA_VARIANT_H

#include "device.h"

/* modules.c: the module works on that device from now on; and after its reset.  */
gpr_status gpr_cuda_use_module (const gpr_cuda_state *s, const gpr_ladder_module *m);
void gpr_cuda_reset_modules (int device);

/* Keeps the GPU waiting until the host has queued the launches: their cost on the
   host is not the kernels'.  */
gpr_status gpr_cuda_delay (const gpr_cuda_state *s, const gpr_ladder_module *m);

/* One run (variant.c).  */
gpr_status gpr_cuda_variant (gpr_cuda_state *s, gpr_variant_run *r, const gpr_ladder_module *m);
/* GB/s of plain reading of so many bytes (0: 1 GiB), which no reduction can beat (ceiling.c).  */
gpr_status gpr_cuda_read_ceiling (gpr_cuda_state *s, const gpr_ladder_module *m, int64_t bytes, double *gbs);

#endif
