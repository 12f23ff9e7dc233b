/* Weights of var and std, for each element along a dimension.  */

#ifndef GPR_WEIGHTS_H
#define GPR_WEIGHTS_H

#include "request.h"

static inline bool
gpr_mx_is_vector (const mxArray *m)
{
  return mxGetNumberOfDimensions (m) == 2 && (mxGetM (m) == 1 || mxGetN (m) == 1);
}

/* A command of the gateway within this call.  */
mxArray *gpr_mx_within (const gpr_call *c, void (*run) (gpr_call *c), const mxArray *a, const mxArray *b, const mxArray *dim);
/* Whether W is weights, on all ranks alike.  */
bool gpr_mx_is_weights (const gpr_call *c, const mxArray *w);
/* With "comm": W, which along the divided dimension is this rank's part of a row of weights, or the error of all ranks.  m: DIM, or NULL.  */
const mxArray *gpr_mx_own_weights (const gpr_call *c, const gpr_array *x, const mxArray *w, const mxArray *m);
/* The dimension that weights of these go along, from 0; -1: they are the built-in's.  */
int gpr_mx_weighted_dim (const gpr_call *c, const gpr_array *x, const mxArray *w, const mxArray *m);
/* single: X is.  */
void gpr_run_weighted (gpr_call *c, const gpr_request *q, const mxArray *w, int dim, bool single);

#endif
