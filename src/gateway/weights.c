/* Weights of var and std: as the built-ins check them, on ranks each its own, and the sums with them.  */

#include <math.h>
#include <string.h>

#include "divided.h"
#include "streamed.h"
#include "weights.h"

/* ---- what they are ------------------------------------------------------------------------ */

/* DIM, or the default one, from 1; false: it is no single dimension.  */
static bool
take_dim (const gpr_array *x, const mxArray *m, int64_t *dim)
{
  *dim = gpr_default_dim (x, false) + 1;
  return ! m || mxIsEmpty (m) || (mxIsNumeric (m) && gpr_mx_count (m, dim));
}

/* NaN counts: it is not at least 0.  */
static bool
has_negative (const mxArray *w)
{
  const size_t count = mxGetNumberOfElements (w);
  for (size_t i = 0; i < count; i++)
    if (! (mxIsDouble (w) ? ((const double *) mxGetData (w))[i] >= 0 : ((const float *) mxGetData (w))[i] >= 0))
      return true;
  return false;
}

/* Whether it is so on any rank.  */
static bool
on_any_rank (const gpr_call *c, bool here)
{
  double low = here, high = here;
  if (c->divided)
    gpr_mx_bounds_of_all (c, &low, &high);
  return high > 0;
}

static bool
are_floats (const mxArray *w)
{
  return (mxIsDouble (w) || mxIsSingle (w)) && ! mxIsComplex (w) && ! mxIsSparse (w) && gpr_mx_is_vector (w);
}

int
gpr_mx_weighted_dim (const gpr_call *c, const gpr_array *x, const mxArray *w, const mxArray *m)
{
  gpr_array row;
  int64_t dim;
  const bool own = c->divided && gpr_mx_divided (c, w, &row);

  if (x->complex || gpr_class_is_integer (x->class) || ! take_dim (x, m, &dim))
    return -1;
  if (! own && (! are_floats (w) || mxGetNumberOfElements (w) != (size_t) (dim <= x->ndims ? x->dims[dim - 1] : 1)))
    return -1;
  return on_any_rank (c, has_negative (w)) ? -1 : (int) dim - 1;
}

bool
gpr_mx_is_weights (const gpr_call *c, const mxArray *w)
{
  return w && (mxGetNumberOfElements (w) > 1 || (c->comm && c->comm->weights_differ));
}

/* The class of the weights of all, of which this rank may have none.  */
static gpr_class
class_of_all (const gpr_call *c, const mxArray *w)
{
  double low = mxIsEmpty (w) ? NAN : mxIsSingle (w), high = low;
  gpr_mx_bounds_of_all (c, &low, &high);
  if (low != high)
    gpr_mx_invalid (c, "W must be of one class on all ranks");
  return high > 0 ? GPR_CLASS_single : GPR_CLASS_double;
}

const mxArray *
gpr_mx_own_weights (const gpr_call *c, const gpr_array *x, const mxArray *w, const mxArray *m)
{
  const gpr_divided *d = c->comm;
  const int64_t count = d->starts[d->world.rank + 1] - d->starts[d->world.rank];
  int64_t dim, sizes[GPR_MAX_DIMS + 2];

  if (! c->divided || ! take_dim (x, m, &dim) || dim != d->dim + 1)
    {
      if (d->weights_differ)
        gpr_mx_invalid (c, "W must be the same on all ranks, but for weights along the divided dimension");
      return w;
    }
  if (on_any_rank (c, mxGetNumberOfElements (w) != (size_t) count || (count > 0 && ! are_floats (w))))
    gpr_mx_invalid (c, "W must be a vector of class double or single with a weight for each element of this rank's piece along the divided dimension");
  const gpr_class class = class_of_all (c, w);
  if (mxIsEmpty (w))
    w = mxCreateNumericMatrix (0, 0, class == GPR_CLASS_single ? mxSINGLE_CLASS : mxDOUBLE_CLASS, mxREAL);
  for (int k = 0; k < dim + 1; k++)
    sizes[k] = k == dim - 1 ? count : 1;
  w = gpr_mx_reshaped (w, (int) dim + 1, sizes);
  gpr_mx_divided_row (c, w);
  return w;
}

/* ---- sums ----------------------------------------------------------------------------------- */

mxArray *
gpr_mx_within (const gpr_call *c, void (*run) (gpr_call *c), const mxArray *a, const mxArray *b, const mxArray *dim)
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

/* This rank's own arrays are all there is.  */
static gpr_call
alone (const gpr_call *c, const mxArray *x)
{
  gpr_call here = *c;
  here.divided = NULL;
  if (c->divided && ! gpr_mx_is_gpuarray (x))
    here.device = (gpr_device_request) { .want = GPR_WANT_CPU };
  return here;
}

/* Of a with b, element by element: what is divided as x is.  */
static const mxArray *
elementwise (const gpr_call *c, void (*run) (gpr_call *c), const mxArray *a, const mxArray *b, const mxArray *x)
{
  const gpr_call here = alone (c, x);
  return gpr_mx_divided_alike (c, x, gpr_mx_within (&here, run, a, b, NULL));
}

/* The sum of weights, which may be divided.  */
static const mxArray *
total_of (const gpr_call *c, const mxArray *w, const mxArray *along)
{
  const gpr_call here = alone (c, w);
  gpr_array row;
  const bool divided = gpr_mx_divided (c, w, &row);
  return gpr_mx_call ("gather", 1, gpr_mx_within (divided ? c : &here, run_sum, w, NULL, along), NULL);
}

/* "omitnan": x without its NaN, on the host, and weights of its size that are 0 there.  */
static void
leave_out_nan (const gpr_call *c, const mxArray **x, const mxArray **w, int dim)
{
  const gpr_call here = alone (c, *x);
  gpr_array a, b;
  const mxArray *host = gpr_mx_is_gpuarray (*x) ? gpr_mx_call ("gather", 1, *x, NULL) : *x;
  const mxArray *absent = gpr_mx_call ("isnan", 1, host, NULL);
  const bool *nan = mxGetData (absent);
  const int64_t count = (int64_t) mxGetNumberOfElements (host);
  int64_t stride = 1, first = 0;
  void *kept, *weights;

  while (first < count && ! nan[first])
    first++;
  if (! on_any_rank (c, first < count))
    return;
  gpr_mx_array (&here, host, &a);
  gpr_mx_array (&here, *w, &b);
  const gpr_class class = b.class;
  const int64_t length = gpr_array_numel (&b);
  for (int d = 0; d < dim && d < a.ndims; d++)        /* a piece may have fewer dimensions */
    stride *= a.dims[d];
  const size_t xbytes = gpr_elem_bytes[gpr_array_elem (&a)], wbytes = gpr_elem_bytes[gpr_array_elem (&b)];
  const char *from = a.data, *old = b.data;
  b = a;
  b.class = class;
  const mxArray *with_nan = *x;
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
  gpr_mx_divided_alike (c, with_nan, *x);
  gpr_mx_divided_alike (c, with_nan, *w);
}

/* sum (w .* (x - mean) .^ 2) / sum (w), where mean = sum (w .* x) / sum (w).  */
void
gpr_run_weighted (gpr_call *c, const gpr_request *q, const mxArray *w, int dim, bool single)
{
  int64_t sizes[GPR_MAX_DIMS + 1];
  const mxArray *x = gpr_mx_in_shape (c, c->rhs[0]), *along = mxCreateDoubleScalar (dim + 1);
  const bool resident = gpr_mx_is_gpuarray (c->rhs[0]);

  for (int d = 0; d < dim; d++)
    sizes[d] = 1;
  sizes[dim] = (int64_t) mxGetNumberOfElements (w);
  sizes[dim + 1] = 1;
  if (! single && mxIsSingle (w) && gpr_rule_holds (GPR_RULE_var_options))
    w = gpr_mx_doubled (c, w);  /* the result's class is x's */
  const mxArray *row = gpr_mx_reshaped (w, dim + 2, sizes);
  w = gpr_mx_divided_alike (c, w, row);
  if (q->nan == GPR_NAN_OMIT)
    leave_out_nan (c, &x, &w, dim);
  const mxArray *total = total_of (c, w, along);
  const mxArray *sum = gpr_mx_within (c, run_sum, elementwise (c, gpr_mx_times, w, x, x), NULL, along);
  const mxArray *mean = gpr_mx_call ("rdivide", 2, gpr_mx_call ("gather", 1, sum, NULL), total);
  const mxArray *distance = elementwise (c, gpr_mx_minus, x, mean, x);
  const mxArray *squares = gpr_mx_within (c, gpr_mx_dot, elementwise (c, gpr_mx_times, w, distance, x), distance, along);
  mxArray *v = gpr_mx_call ("rdivide", 2, gpr_mx_call ("gather", 1, squares, NULL), total);
  if (gpr_operators[q->op].divisor == GPR_DIVISOR_DEVIATION)
    v = gpr_mx_call ("sqrt", 1, v, NULL);
  c->plhs[0] = resident && mxGetNumberOfElements (v) != 1 ? gpr_mx_call ("gpuArray", 1, v, NULL) : v;
}
