/* var and std: W and DIM as the built-ins check them; weights for each element are those of weights.c.  */

#include "divided.h"
#include "request.h"
#include "streamed.h"
#include "weights.h"

/* ---- arguments ------------------------------------------------------------------------ */

/* False: the built-in refuses it.  */
static bool
take_dim (const gpr_call *c, const mxArray *m, gpr_request *q)
{
  int64_t repeated;
  gpr_dims_status found = GPR_DIMS_NONE;

  if (! m || mxIsEmpty (m))
    return ! m || ! gpr_rule_holds (GPR_RULE_var_options);
  q->which = gpr_mx_option (m, "all") ? GPR_DIM_ALL : GPR_DIM_LIST;
  if (q->which == GPR_DIM_ALL)
    return true;
  if (mxIsNumeric (m) && gpr_mx_is_vector (m))
    found = gpr_mx_read_dims (mxIsDouble (m) ? m : gpr_mx_call ("double", 1, m, NULL), &q->ndims, q->dims, &repeated);
  if (found == GPR_DIMS_TOO_MANY)
    gpr_mx_invalid (c, "DIM must be a vector of at most %d dimensions, of class double", GPR_MAX_DIMS);
  return found == GPR_DIMS_OK;
}

/* 0 or 1; where the built-in does not look, anything but a negative number: of outputs of
   one element, or (since Octave 9) of an X of one.  False: the built-in refuses it.  */
static bool
take_normalization (const mxArray *m, const gpr_array *x, gpr_request *q)
{
  int64_t n = 1;

  if (! m || mxIsEmpty (m))
    return true;
  for (int d = 0; d < x->ndims; d++)
    {
      bool reduced = q->which == GPR_DIM_ALL || (q->which == GPR_DIM_DEFAULT && d == gpr_default_dim (x, false));
      for (int i = 0; q->which == GPR_DIM_LIST && i < q->ndims; i++)
        reduced |= q->dims[i] == d + 1;
      n *= reduced ? x->dims[d] : 1;
    }
  if (gpr_rule_holds (GPR_RULE_var_options))
    n = gpr_array_numel (x);
  const double w = mxIsNumeric (m) && ! mxIsComplex (m) ? mxGetScalar (m) : -1;
  q->normalization = w == 1;
  return w == 0 || w == 1 || (w > 0 && n == 1);
}

/* ---- the call --------------------------------------------------------------------------- */

static void
run_mean (gpr_call *c)
{
  c->builtin = "mean";
  gpr_request q = { .op = GPR_OP_MEAN };
  gpr_run_by_arguments (c, &q);
}

/* The second output.  */
static mxArray *
mean_too (const gpr_call *c, const gpr_request *q)
{
  mxArray *dims = q->which == GPR_DIM_ALL ? mxCreateString ("all") : mxCreateDoubleMatrix (1, q->ndims, mxREAL);
  mxArray *flag = mxCreateString (q->nan == GPR_NAN_OMIT ? "omitnan" : "includenan");

  for (int i = 0; q->which == GPR_DIM_LIST && i < q->ndims; i++)
    ((double *) mxGetData (dims))[i] = (double) q->dims[i];
  return q->which == GPR_DIM_DEFAULT ? gpr_mx_within (c, run_mean, q->x, flag, NULL) : gpr_mx_within (c, run_mean, q->x, dims, flag);
}

/* The whole of weights that are each rank's, as the built-in takes them.  */
static const mxArray *
as_row (const gpr_call *c, const mxArray *own)
{
  const mxArray *w = gpr_mx_whole (c, own);
  const int64_t sizes[2] = { 1, (int64_t) mxGetNumberOfElements (w) };
  return gpr_mx_reshaped (w, 2, sizes);
}

void
gpr_run_variance (gpr_call *c, gpr_request *q)
{
  gpr_array x;
  int dim = -1;

  if (c->nlhs > 1 && ! gpr_rule_holds (GPR_RULE_var_means))
    gpr_mx_too_many_outputs (c);
  gpr_mx_gather_from (c, 1);
  gpr_call as_given = *c;
  gpr_take_nanflag (c, q);
  if (c->nrhs < 1 || as_given.nrhs > 4)
    gpr_mx_usage (c);
  const mxArray *w = c->nrhs > 1 ? c->rhs[1] : NULL, *m = c->nrhs > 2 ? c->rhs[2] : NULL;
  bool weighted = gpr_mx_is_weights (c, w);
  const bool known = gpr_mx_look (c, c->rhs[0], &x, NULL), empty = known ? gpr_array_numel (&x) == 0 : mxIsEmpty (c->rhs[0]);
  const mxArray *own = weighted && c->comm ? gpr_mx_own_weights (c, &x, w, m) : w;
  if (own != w && c->divided->starts[c->divided->world.size] == 1)
    {
      c->rhs[1] = as_given.rhs[1] = own = w = gpr_mx_whole (c, own);    /* a single number is no weight */
      weighted = false;
    }
  bool ours = known && c->nrhs <= 3 && (as_given.nrhs < 4 || mxIsChar (as_given.rhs[3])) && x.class != GPR_CLASS_char && ! empty;
  if (ours && weighted)
    ours = c->nlhs < 2 && (dim = gpr_mx_weighted_dim (c, &x, own, m)) >= 0;
  else if (ours)
    ours = take_dim (c, m, q) && take_normalization (w, &x, q);
  if (! ours)
    {
      if (q->nan == GPR_NAN_OMIT && ! empty && gpr_mx_is_float (c, c->rhs[0]) && (weighted || mxIsSparse (c->rhs[0]))
          && ! gpr_rule_holds (GPR_RULE_var_options))
        gpr_mx_invalid (c, "\"omitnan\" needs a full X, and with weights a real one and a weight of at least 0 for each element along one dimension");
      gpr_call asked = gpr_rule_holds (GPR_RULE_var_options) ? as_given : *c;    /* with the nanflag or without */
      if (known && gpr_class_is_integer (x.class) && gpr_rule_holds (GPR_RULE_var_integers))
        {
          asked.rhs[0] = gpr_mx_doubled (&asked, asked.rhs[0]);           /* releases compute in its class */
          if (weighted && mxIsSingle (own))
            asked.rhs[1] = own = gpr_mx_call ("double", 1, gpr_mx_whole (c, own), NULL);
        }
      if (own != w)
        asked.rhs[1] = as_row (c, own);
      gpr_mx_ask_builtin (&asked);
      return;
    }
  if (weighted)
    {
      gpr_run_weighted (c, q, own, dim, x.class == GPR_CLASS_single);
      return;
    }
  q->x = c->rhs[0];
  if (x.class != GPR_CLASS_double && x.class != GPR_CLASS_single)
    q->x = gpr_mx_doubled (c, q->x);
  mxArray *mean = c->nlhs > 1 ? mean_too (c, q) : NULL;
  const int outputs = c->nlhs;
  c->nlhs = 1;
  gpr_run_reduction (c, q);
  if (outputs > 1)
    c->plhs[1] = mean;
}
