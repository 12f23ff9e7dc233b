/* What a backend's last call took, for who has no clock of a device: each backend's file its own, and each thread.  */

#ifndef GPR_TIMED_H
#define GPR_TIMED_H

#include "gpr.h"
#include "system.h"

static _Thread_local double gpr_last_ms;

/* timed_NAME: a function of the backend, by the clock.  */
#define GPR_TIMED(name, type, function) \
static gpr_status \
timed_##name (type *problem) \
{ \
  const double start = gpr_now_ms (); \
  const gpr_status status = function (problem); \
  gpr_last_ms = gpr_now_ms () - start; \
  return status; \
}

/* gpr_backend.times.  */
static void
gpr_last_times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = 0;
  *kernel_ms = gpr_last_ms;
}

#endif
