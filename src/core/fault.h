/* For tests: makes the n-th allocation or CUDA call from now on fail.  */

#ifndef GPR_FAULT_H
#define GPR_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
  atomic_long until;            /* faults in so many calls; 0: never */
  atomic_long calls;            /* that could have failed so far */
  atomic_bool memory;           /* a CUDA call fails for want of memory, else otherwise */
} gpr_faults;
extern gpr_faults gpr_injected;         /* of the module; the CUDA backend has a pointer to it */

static inline bool
gpr_fault (gpr_faults *f)
{
  f->calls++;
  return f->until > 0 && --f->until == 0;
}

#endif
