/* One launch of a kernel.  */

#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "state.h"

/* A block's threads or a grid's blocks: all, and how many lie in y and z.  */
struct shape { u32 all, y, z; };

/* The __shared__ variables that a kernel of that symbol may use, into L.statics; the bytes of its own.  */
u64 find_statics (const std::string &kernel);
/* False: F says why.  */
bool launch (const char *name, const void *kernel, const void *args, shape grid, shape block, u64 shared, bool cooperative, value_type type);

#endif
