/* Fault injection, for tests: the n-th allocation or CUDA call from now on fails.  */

#ifndef GPR_FAULT_H
#define GPR_FAULT_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct {
  atomic_long until;            /* the fault is in so many calls; 0: never */
  atomic_long calls;            /* so far, that could have failed */
  atomic_bool memory;           /* a CUDA call fails for lack of memory, else as invalid */
} gpr_faults;
extern gpr_faults gpr_injected;         /* of the MEX module; the CUDA module has a pointer to it */

static inline bool
gpr_fault (gpr_faults *f)
{
  f->calls++;
  return f->until > 0 && --f->until == 0;
}

#endif
