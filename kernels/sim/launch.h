/* One launch of a kernel.  */

#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "state.h"

/* False: F says why.  */
bool launch (const char *name, const void *kernel, const void *args, u32 grid, u32 threads, u64 shared, bool cooperative, value_type type);

#endif
