/* A part of a file, read where the system keeps it.  One at a time in a process.

   Whoever reads what the file no longer has, since it was cut off meanwhile, would get a signal that ends the process.  Here it reads
   zeros, and gpr_system_unmap says so.  */

#ifndef GPR_MAPPED_H
#define GPR_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* NULL: it cannot be.  */
const void *gpr_system_map (int fd, int64_t at, size_t bytes);
/* False: not all of it was there.  */
bool gpr_system_unmap (void);

#endif
