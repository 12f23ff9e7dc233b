/* One reduction by the CPU and the GPU together (core/share.h).  */

#ifndef GPR_SPLIT_H
#define GPR_SPLIT_H

#include "../core/share.h"

/* Opens the store of all units; and closes it: the results, where status is GPR_OK.  */
gpr_status gpr_share_open (gpr_share *s, gpr_reduction *r);
void gpr_share_close (gpr_share *s, gpr_status status);

/* Whether there is a tile only, and accumulators and results are few against the input.  */
bool gpr_splits (const gpr_reduction *r);

/* gpr_cpu_share by the threads of the CPU, but for one, which is the device's share;
   then the tree over parts.  device->share may be NULL: as the CPU backend's reduction.  */
gpr_status gpr_split_reduce (const gpr_backend *device, gpr_reduction *r);

/* The GPU in use and the CPU: a backend for reductions of host data.  */
extern const gpr_backend gpr_split_backend;

#endif
