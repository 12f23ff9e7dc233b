/* The problems of linear.h as a backend gets them.  */

#ifndef GPR_SOLVE_H
#define GPR_SOLVE_H

#include "array.h"
#include "linear.h"

/* Matrices of one class, double or single, resident on the backend, and not written to.  Their sizes are those that the operation
   asks for, and none is empty.  GPR_UNSUPPORTED: Octave's, as what is singular or has no such factors.  */
typedef struct gpr_linear {
  gpr_linear_task *task;
  const gpr_array *given[GPR_LINEAR_GIVEN];
  gpr_array results[GPR_LINEAR_RESULTS];        /* out, in memory of the backend's; data is NULL where there is none */
} gpr_linear;

/* z, which is complex, has the task's sizes; x is real or complex.  */
typedef struct gpr_fourier {
  const gpr_fourier_task *task;
  const gpr_array *x;
  gpr_array *z;
} gpr_fourier;

#endif
