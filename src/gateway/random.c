/* "generator": the stream of random numbers behind gpurng.  */

#include "../core/generate.h"
#include "fields.h"

void
gpr_mx_generator (gpr_call *c)
{
  const gpr_generator now = gpr_random;
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL), *state = mxCreateNumericMatrix (1, 1, mxUINT64_CLASS, mxREAL);

  if (c->nrhs == 1)
    gpr_random = (gpr_generator) { gpr_random_shuffle (), 0 };
  else if (c->nrhs == 2 && mxIsDouble (c->rhs[0]) && mxIsUint64 (c->rhs[1]) && mxGetNumberOfElements (c->rhs[0]) == 1 && mxGetNumberOfElements (c->rhs[1]) == 1)
    gpr_random = (gpr_generator) { (uint64_t) mxGetScalar (c->rhs[0]), *(const uint64_t *) mxGetData (c->rhs[1]) };
  memcpy (mxGetData (state), &now.position, sizeof now.position);
  set_text (s, "Type", "Philox");
  set_number (s, "Seed", (double) now.seed);
  set (s, "State", state);
  c->plhs[0] = s;
}
