/* "fault", N, KIND: for tests, the N-th allocation or CUDA call from now on fails (0:
   none).  Returns how many there were since the last time.  The linker sends the
   module's allocations through here (see Makefile).  */

#include <stdlib.h>

#include "../core/fault.h"
#include "mx.h"

void *__real_malloc (size_t bytes);
void *__real_calloc (size_t count, size_t bytes);
void *__real_realloc (void *p, size_t bytes);
void *__real_aligned_alloc (size_t alignment, size_t bytes);

void *
__wrap_malloc (size_t bytes)
{
  return gpr_fault (&gpr_injected) ? NULL : __real_malloc (bytes);
}

void *
__wrap_calloc (size_t count, size_t bytes)
{
  return gpr_fault (&gpr_injected) ? NULL : __real_calloc (count, bytes);
}

void *
__wrap_realloc (void *p, size_t bytes)
{
  return gpr_fault (&gpr_injected) ? NULL : __real_realloc (p, bytes);
}

void *
__wrap_aligned_alloc (size_t alignment, size_t bytes)
{
  return gpr_fault (&gpr_injected) ? NULL : __real_aligned_alloc (alignment, bytes);
}

void
gpr_mx_fault (gpr_call *c)
{
  if (c->nrhs < 1 || c->nrhs > 2 || ! mxIsDouble (c->rhs[0]) || mxGetNumberOfElements (c->rhs[0]) != 1)
    gpr_mx_invalid (c, "fault takes a number and a kind");
  c->plhs[0] = mxCreateDoubleScalar ((double) gpr_injected.calls);
  gpr_injected.memory = c->nrhs == 2 && gpr_mx_option (c->rhs[1], "memory");
  gpr_injected.calls = 0;
  gpr_injected.until = (long) mxGetScalar (c->rhs[0]);
}
