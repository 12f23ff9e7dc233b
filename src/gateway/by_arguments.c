/* Reductions and sorts called with the built-in's arguments.  */

#include "divided.h"
#include "request.h"

void
gpr_run_by_arguments (gpr_call *c, gpr_request *q)
{
  const gpr_operator *o = &gpr_operators[q->op];
  const bool pair = o->arguments == GPR_ARGS_PAIR && ! o->index_first;

  gpr_mx_gather_from (c, pair && c->nrhs == 2 ? 2 : 1);
  if (gpr_take_arguments (c, q))
    {
      (o->engine == GPR_ENGINE_ORDER ? gpr_run_order : gpr_run_reduction) (c, q);
      return;
    }
  if (o->index_first && c->nrhs > 1 && mxGetNumberOfElements (c->rhs[1]) > 0)
    gpr_mx_invalid (c, "the second argument must be []; DIM is the third");
  if (pair && q->nan != GPR_NAN_DEFAULT && c->nrhs == 3 && ! gpr_rule_holds (gpr_operators[q->op].builtin_takes.options))
    gpr_mx_invalid (c, "nanflag does not go with two arrays");
  if (pair && c->nrhs == 2 && c->divided)
    gpr_mx_not_yet (c, "two arrays do");
  if (pair && c->nrhs == 2 && c->nlhs <= 1)
    gpr_mx_pair (c, q->op);
  else
    gpr_mx_ask_builtin (c);
}
