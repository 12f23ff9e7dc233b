/* A thread for each of several GPUs.  */

#ifndef GPR_TAKERS_H
#define GPR_TAKERS_H

#include "../core/share.h"

/* What all have in common.  */
typedef struct gpr_job {
  gpr_status (*take) (struct gpr_job *j, gpr_taker *t);         /* until nothing is left; in the GPU's thread */
  void (*stop) (struct gpr_job *j);     /* leaves nothing to take, after a failure; any thread */
  void (*beside) (struct gpr_job *j);   /* by the calling thread meanwhile, or NULL */
  void *of;
} gpr_job;

/* takers: a list of so many devices.  Copying is shared by that many threads.  An error is the first one's, with the number of
   its device.  */
gpr_status gpr_takers_run (gpr_job *j, gpr_taker *takers, int count, int threads);

/* The error status of that device: the last message, with the device's number in it.  */
gpr_status gpr_among_fail (int device, gpr_status status);

#endif
