/* One launch of a kernel.  */

#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "state.h"

/* A block's threads, and how many of them lie in y and z.  */
struct shape { u32 threads, y, z; };

/* False: F says why.  */
bool launch (const char *name, const void *kernel, const void *args, u32 grid, shape block, u64 shared, bool cooperative, value_type type);

#endif
