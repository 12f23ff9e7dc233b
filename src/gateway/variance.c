/* var and std: W and DIM as the built-ins check them, and weights for each element.  */

#include <string.h>

#include "divided.h"
#include "request.h"
#include "streamed.h"

static bool
is_vector (const mxArray *m)
{
  return mxGetNumberOfDimensions (m) == 2 && (mxGetM (m) == 1 || mxGetN (m) == 1);
}

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
  if (mxIsNumeric (m) && is_vector (m))
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

/* ---- weights --------------------------------------------------------------------------- */

/* The dimension that weights of these go along, from 0; -1: they are the built-in's.  */
static int
weighted_dim (const gpr_array *x, const mxArray *w, const mxArray *m)
{
  int64_t dim = gpr_default_dim (x, false) + 1;

  if (x->complex || gpr_class_is_integer (x->class) || ! (mxIsDouble (w) || mxIsSingle (w)) || mxIsComplex (w)
      || mxIsSparse (w) || ! is_vector (w))
    return -1;
  if (m && ! mxIsEmpty (m) && (! mxIsNumeric (m) || ! gpr_mx_count (m, &dim)))
    return -1;
  const size_t count = mxGetNumberOfElements (w);
  if (count != (size_t) (dim <= x->ndims ? x->dims[dim - 1] : 1))
    return -1;
  for (size_t i = 0; i < count; i++)
    if (! (mxIsDouble (w) ? ((const double *) mxGetData (w))[i] >= 0 : ((const float *) mxGetData (w))[i] >= 0))
      return -1;
  return (int) dim - 1;
}

/* A command of the gateway within this call.  */
static mxArray *
within (const gpr_call *c, void (*run) (gpr_call *c), const mxArray *a, const mxArray *b, const mxArray *dim)
{
  mxArray *out[1] = { NULL };
  gpr_call sub = *c;
  sub.nlhs = 1;
  sub.plhs = out;
  sub.nrhs = dim ? 3 : 2;
  sub.rhs[0] = a;
  sub.rhs[1] = b;
  sub.rhs[2] = dim;
  run (&sub);
  return out[0];
}

static void
run_sum (gpr_call *c)
{
  c->rhs[1] = c->rhs[2];
  c->nrhs = 2;
  c->builtin = "sum";
  gpr_request q = { .op = GPR_OP_SUM };
  gpr_run_by_arguments (c, &q);
}

static void
run_mean (gpr_call *c)
{
  c->builtin = "mean";
  gpr_request q = { .op = GPR_OP_MEAN };
  gpr_run_by_arguments (c, &q);
}

/* "omitnan": x without its NaN, on the host, and weights of its size that are 0 there.  */
static void
leave_out_nan (const gpr_call *c, const mxArray **x, const mxArray **w, int dim)
{
  gpr_array a, b;
  const mxArray *host = gpr_mx_is_gpuarray (*x) ? gpr_mx_call ("gather", 1, *x, NULL) : *x;
  const mxArray *absent = gpr_mx_call ("isnan", 1, host, NULL);
  const bool *nan = mxGetData (absent);
  const int64_t count = (int64_t) mxGetNumberOfElements (host);
  int64_t stride = 1, first = 0;
  void *kept, *weights;

  while (first < count && ! nan[first])
    first++;
  if (first == count)
    return;
  gpr_mx_array (c, host, &a);
  gpr_mx_array (c, *w, &b);
  const gpr_class class = b.class;
  const int64_t length = gpr_array_numel (&b);
  for (int d = 0; d < dim; d++)
    stride *= a.dims[d];
  const size_t xbytes = gpr_elem_bytes[gpr_array_elem (&a)], wbytes = gpr_elem_bytes[gpr_array_elem (&b)];
  const char *from = a.data, *old = b.data;
  b = a;
  b.class = class;
  *x = gpr_mx_create (&a, &kept);
  *w = gpr_mx_create (&b, &weights);
  memset (kept, 0, count * xbytes);
  memset (weights, 0, count * wbytes);
  for (int64_t i = 0; i < count; i++)
    if (! nan[i])
      {
        memcpy ((char *) kept + i * xbytes, from + i * xbytes, xbytes);
        memcpy ((char *) weights + i * wbytes, old + i / stride % length * wbytes, wbytes);
      }
}

/* sum (w .* (x - mean) .^ 2) / sum (w), where mean = sum (w .* x) / sum (w).  */
static void
run_weighted (gpr_call *c, const gpr_request *q, const mxArray *w, int dim, bool single)
{
  int64_t sizes[GPR_MAX_DIMS + 1];
  const mxArray *x = c->rhs[0], *along = mxCreateDoubleScalar (dim + 1);
  const bool resident = gpr_mx_is_gpuarray (x);

  for (int d = 0; d < dim; d++)
    sizes[d] = 1;
  sizes[dim] = (int64_t) mxGetNumberOfElements (w);
  sizes[dim + 1] = 1;
  if (! single && mxIsSingle (w) && gpr_rule_holds (GPR_RULE_var_options))
    w = gpr_mx_call ("double", 1, w, NULL);     /* the result's class is x's */
  w = gpr_mx_reshaped (w, dim + 2, sizes);
  if (q->nan == GPR_NAN_OMIT)
    leave_out_nan (c, &x, &w, dim);
  const mxArray *total = gpr_mx_call ("sum", 2, w, along);
  const mxArray *sum = within (c, run_sum, within (c, gpr_mx_times, w, x, NULL), NULL, along);
  const mxArray *mean = gpr_mx_call ("rdivide", 2, gpr_mx_call ("gather", 1, sum, NULL), total);
  const mxArray *distance = within (c, gpr_mx_minus, x, mean, NULL);
  const mxArray *squares = within (c, gpr_mx_dot, within (c, gpr_mx_times, w, distance, NULL), distance, along);
  mxArray *v = gpr_mx_call ("rdivide", 2, gpr_mx_call ("gather", 1, squares, NULL), total);
  if (gpr_operators[q->op].divisor == GPR_DIVISOR_DEVIATION)
    v = gpr_mx_call ("sqrt", 1, v, NULL);
  c->plhs[0] = resident && mxGetNumberOfElements (v) != 1 ? gpr_mx_call ("gpuArray", 1, v, NULL) : v;
}

/* ---- the call --------------------------------------------------------------------------- */

/* The second output.  */
static mxArray *
mean_too (const gpr_call *c, const gpr_request *q)
{
  mxArray *dims = q->which == GPR_DIM_ALL ? mxCreateString ("all") : mxCreateDoubleMatrix (1, q->ndims, mxREAL);
  mxArray *flag = mxCreateString (q->nan == GPR_NAN_OMIT ? "omitnan" : "includenan");

  for (int i = 0; q->which == GPR_DIM_LIST && i < q->ndims; i++)
    ((double *) mxGetData (dims))[i] = (double) q->dims[i];
  return q->which == GPR_DIM_DEFAULT ? within (c, run_mean, q->x, flag, NULL) : within (c, run_mean, q->x, dims, flag);
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
  const bool weighted = w && mxGetNumberOfElements (w) > 1;
  const bool known = gpr_mx_look (c, c->rhs[0], &x, NULL), empty = known ? gpr_array_numel (&x) == 0 : mxIsEmpty (c->rhs[0]);
  bool ours = known && c->nrhs <= 3 && (as_given.nrhs < 4 || mxIsChar (as_given.rhs[3])) && x.class != GPR_CLASS_char && ! empty;
  if (ours && weighted)
    ours = c->nlhs < 2 && (dim = weighted_dim (&x, w, m)) >= 0;
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
          asked.rhs[0] = gpr_mx_call ("double", 1, asked.rhs[0], NULL);   /* releases compute in its class */
          if (weighted && mxIsSingle (w))
            asked.rhs[1] = gpr_mx_call ("double", 1, w, NULL);
        }
      gpr_mx_ask_builtin (&asked);
      return;
    }
  if (weighted && c->divided)
    gpr_mx_not_yet (c, "weights do");
  if (weighted)
    {
      run_weighted (c, q, w, dim, x.class == GPR_CLASS_single);
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
