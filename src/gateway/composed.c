/* Operators made of others: range and bounds, where one reading does not do, of max and min; norm of one of the norms by P.  */

#include <stdio.h>
#include <string.h>

#include "divided.h"
#include "request.h"

/* An operator's result on x and these arguments, within this call.  */
static mxArray *
part (const gpr_call *c, gpr_op op, int nrhs, const mxArray *const *rhs)
{
  mxArray *out[1] = { NULL };
  gpr_call sub = *c;
  sub.builtin = gpr_operators[op].builtin;
  sub.nlhs = 1;
  sub.plhs = out;
  sub.nrhs = nrhs;
  memcpy (sub.rhs, rhs, nrhs * sizeof *rhs);
  gpr_request q = { .op = op };
  gpr_run_by_arguments (&sub, &q);
  return out[0];
}

/* ---- range, bounds ---------------------------------------------------------------------- */

/* x, dim and flags as bounds checks them; dim is never left out.  False: the built-in shall answer.  */
static bool
take_bounds (gpr_call *c)
{
  const mxArray *dim = NULL, *flags[2];
  int count = 0;
  gpr_array x = { 0 };

  if (c->nrhs < 1 || c->nrhs > 3)
    gpr_mx_usage (c);
  const bool known = gpr_mx_array (c, c->rhs[0], &x);
  if (known ? x.class == GPR_CLASS_char : ! mxIsNumeric (c->rhs[0]) && ! mxIsLogical (c->rhs[0]))
    return false;
  for (int i = 1; i < c->nrhs; i++)
    if (gpr_mx_option (c->rhs[i], "omitnan") || gpr_mx_option (c->rhs[i], "includenan"))
      flags[count++] = c->rhs[i];
    else if (dim)
      return false;
    else
      dim = c->rhs[i];
  if (dim && mxIsEmpty (dim))
    return false;
  if (! dim)
    {
      if (! known)
        x = (gpr_array) { .ndims = 2, .dims = { mxGetM (c->rhs[0]), mxGetN (c->rhs[0]) } };
      dim = mxCreateDoubleScalar (gpr_default_dim (&x, true) + 1);
    }
  else if (! gpr_mx_option (dim, "all"))
    {
      int64_t dims[GPR_MAX_DIMS], repeated;
      int ndims;
      const bool vector = mxIsNumeric (dim) && mxGetNumberOfDimensions (dim) == 2 && (mxGetM (dim) == 1 || mxGetN (dim) == 1);
      if (! vector || gpr_mx_read_dims (mxIsDouble (dim) ? dim : gpr_mx_call ("double", 1, dim, NULL), &ndims, dims, &repeated)
                      == GPR_DIMS_NONE)
        return false;
    }
  c->rhs[1] = dim;
  memcpy (c->rhs + 2, flags, count * sizeof *flags);
  c->nrhs = 2 + count;
  return true;
}

/* Real arrays whose NaN are skipped; false: max and min shall see to it.  Each of these stops at the first logical that decides it.  */
static bool
one_reading (gpr_call *c, gpr_op op, int nrhs, const mxArray *const *rhs)
{
  gpr_call sub = *c;
  gpr_request q = { .op = GPR_OP_MAX };
  gpr_array x;

  sub.builtin = gpr_operators[GPR_OP_MAX].builtin;
  sub.nrhs = nrhs;
  memcpy (sub.rhs, rhs, nrhs * sizeof *rhs);
  if (nrhs < 1 || ! gpr_mx_array (c, rhs[0], &x) || x.complex || (x.class == GPR_CLASS_logical && ! x.home) || gpr_array_numel (&x) == 0 || c->nlhs > gpr_operators[op].max_outputs
      || ! gpr_take_arguments (&sub, &q) || (q.nan == GPR_NAN_INCLUDE && ! gpr_class_is_integer (x.class)))
    return false;
  q.op = op;
  gpr_run_reduction (&sub, &q);
  return true;
}

void
gpr_run_max_and_min (gpr_call *c, gpr_request *q)
{
  const gpr_operator *o = &gpr_operators[q->op];
  const mxArray *rhs[GPR_MAX_DIMS + 1];
  int nrhs = 0;

  gpr_mx_gather_from (c, 1);
  if (c->nrhs > 0 && (mxIsCell (c->rhs[0]) || mxIsStruct (c->rhs[0])))
    {
      gpr_mx_ask_builtin (c);   /* its error */
      return;
    }
  if (o->arguments == GPR_ARGS_BOUNDS)
    {
      const gpr_call as_given = *c;
      if (! take_bounds (c))
        {
          gpr_mx_ask_builtin (&as_given);
          return;
        }
    }
  for (int i = 0; i < c->nrhs && nrhs < GPR_MAX_DIMS; i++)
    {
      const bool word = gpr_mx_option (c->rhs[i], "all") || gpr_mx_option (c->rhs[i], "omitnan") || gpr_mx_option (c->rhs[i], "includenan");
      if (i == 1 && ! word)
        rhs[nrhs++] = mxCreateDoubleMatrix (0, 0, mxREAL);      /* max (x, [], dim) */
      rhs[nrhs++] = c->rhs[i];
    }
  if (one_reading (c, q->op, nrhs, rhs))
    return;
  mxArray *most = part (c, GPR_OP_MAX, nrhs, rhs), *least = part (c, GPR_OP_MIN, nrhs, rhs);
  if (o->finish != GPR_FINISH_DIFFERENCE)
    {
      c->plhs[0] = least;
      if (c->nlhs > 1)
        c->plhs[1] = most;
      return;
    }
  const bool resident = gpr_mx_is_gpuarray (most);
  gpr_array x;
  if (resident && gpr_mx_array (c, most, &x) && x.class < GPR_CLASS_logical)
    {
      gpr_call minus = { .builtin = "minus", .nlhs = 1, .plhs = c->plhs, .nrhs = 2, .rhs = { most, least }, .device = c->device, .promised = c->promised };
      strcpy (minus.caller, c->caller);
      gpr_mx_minus (&minus);
      return;
    }
  mxArray *y = gpr_mx_call ("minus", 2, resident ? gpr_mx_call ("gather", 1, most, NULL) : most,
                            gpr_mx_is_gpuarray (least) ? gpr_mx_call ("gather", 1, least, NULL) : least);
  c->plhs[0] = resident ? gpr_mx_call ("gpuArray", 1, y, NULL) : y;
}

/* ---- norm ------------------------------------------------------------------------------- */

static bool
is_side (const mxArray *m)
{
  return gpr_is_exactly (m, "rows") || gpr_is_exactly (m, "columns") || gpr_is_exactly (m, "cols");
}

/* P as one of the norms; false: the built-in's.  */
static bool
take_p (const mxArray *p, gpr_op *op)
{
  *op = GPR_OP_NORM2;
  if (! p || (mxIsNumeric (p) && mxIsEmpty (p)) || gpr_is_exactly (p, "fro"))
    return true;
  if (mxIsChar (p))
    {
      *op = GPR_OP_NORMMAX;
      return gpr_is_exactly (p, "inf") || gpr_is_exactly (p, "Inf");
    }
  if (! mxIsNumeric (p) || mxIsComplex (p) || mxIsSparse (p) || mxGetNumberOfElements (p) != 1)
    return false;
  const double v = mxGetScalar (p);
  *op = v == 2 ? GPR_OP_NORM2 : v == 1 ? GPR_OP_NORM1 : v == 0 ? GPR_OP_NORM0 : GPR_OP_NORMMAX;
  return v == 0 || v == 1 || v == 2 || (mxIsInf (v) && v > 0);
}

/* Which norm, over which dimension (0: all), and whether the largest of these is the
   result; false: the built-in's.  */
static bool
plan_norm (const gpr_call *c, gpr_op *op, int *dim, bool *largest)
{
  gpr_array x;
  const mxArray *p = c->nrhs > 1 ? c->rhs[1] : NULL, *side = c->nrhs > 2 ? c->rhs[2] : NULL;

  *dim = 0;
  *largest = false;
  if (c->nrhs < 1 || c->nrhs > 3 || ! gpr_mx_array (c, c->rhs[0], &x) || (x.class != GPR_CLASS_double && x.class != GPR_CLASS_single)
      || x.ndims != 2 || gpr_array_numel (&x) == 0)
    return false;
  if (p && is_side (p) && (! side || mxIsEmpty (side)))
    {
      side = p;
      p = NULL;
    }
  if (! take_p (p, op))
    return false;
  if (side && is_side (side))
    {
      *dim = gpr_is_exactly (side, "rows") ? 2 : 1;
      return *op != GPR_OP_NORM0;
    }
  if (side && ! mxIsEmpty (side))
    return false;
  if (x.dims[0] == 1 || x.dims[1] == 1)
    return true;
  /* Of a matrix: the largest sum of a column or a row, or "fro".  */
  *largest = *op == GPR_OP_NORM1 || *op == GPR_OP_NORMMAX;
  if (! *largest)
    return p && gpr_is_exactly (p, "fro");
  *dim = *op == GPR_OP_NORM1 ? 1 : 2;
  *op = GPR_OP_NORM1;
  return true;
}

void
gpr_run_norm (gpr_call *c, gpr_request *q)
{
  gpr_op op;
  int dim;
  bool largest;

  (void) q;
  gpr_mx_gather_from (c, 1);
  if (c->nlhs > 1 || ! plan_norm (c, &op, &dim, &largest))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  const mxArray *rhs[2] = { c->rhs[0], dim ? mxCreateDoubleScalar (dim) : mxCreateString ("all") };
  mxArray *y = part (c, op, 2, rhs);
  if (largest)
    {
      if (gpr_mx_is_gpuarray (y))
        y = gpr_mx_call ("gather", 1, y, NULL);
      if (c->divided && c->divided->stays)
        y = gpr_mx_whole_result (c, y);
      if (c->divided)
        c->divided->stays = 0;
      if (mxIsLogicalScalarTrue (gpr_mx_call ("any", 1, gpr_mx_call ("isnan", 1, y, NULL), NULL)))
        {
          gpr_mx_ask_builtin (c);
          return;
        }
      y = gpr_mx_call ("max", 1, y, NULL);
    }
  c->plhs[0] = y;
}
