/* Every access and basic block of a ladder file, before it happens: bounds, initialised memory, races.  */

#ifndef SIM_ACCESSES_H
#define SIM_ACCESSES_H

#include "state.h"

/* By the thread that runs, at this place in its code.  */
void check_access (const void *p, u32 size, int kind, const void *code);

/* Before an atomic of f's.  */
void before_atomic (fiber *f, const void *p);
/* What the code that describes a graded submission's variants accesses, before there are threads: it ends the
   process where that is not its own.  For host_accesses.  */
void graded_host_accesses (const void *p, u64 bytes, int kind, const void *code);

#endif
