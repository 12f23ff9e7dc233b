/* Quantiles, deviations from the median or mean, and the k greatest or least.  Calls that the plain rules do not cover are
   the built-in's.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "divided.h"
#include "request.h"
#include "../core/select.h"

gpr_status
gpr_select_on (const gpr_choice *choice, const gpr_array *x, gpr_selection *p)
{
  void *copy = NULL;
  gpr_status status = gpr_reach (x, choice, &p->x, &p->x_resident, &copy);
  if (status == GPR_OK)
    status = choice->backend->select (p);
  free (copy);
  return status;
}

/* inner, length, outer.  */
static void
sizes_along (const gpr_array *x, int64_t dim, int64_t sizes[3])
{
  sizes[0] = sizes[1] = sizes[2] = 1;
  for (int d = 0; d < x->ndims; d++)
    sizes[d + 1 < dim ? 0 : d + 1 == dim ? 1 : 2] *= x->dims[d];
}

/* A real full array that is not empty, dim from 1 (m NULL: the first that is longer than 1), and the sizes that
   go with it.  dim also where false is returned because of x: the built-in's results lie along it.  */
static bool
take_x (const gpr_call *c, const mxArray *m, gpr_array *x, int64_t *dim, int64_t sizes[3])
{
  if (! gpr_mx_array (c, c->rhs[0], x))
    return false;
  *dim = gpr_default_dim (x, true) + 1;
  if (m && (mxIsLogical (m) || ! gpr_mx_count (m, dim) || *dim > GPR_MAX_DIMS))
    return false;
  if (x->complex || x->class == GPR_CLASS_char || gpr_array_numel (x) == 0)
    return false;
  sizes_along (x, *dim, sizes);
  return true;
}

/* x's sizes with others along dim.  */
static gpr_array
sized (const gpr_array *x, int64_t dim, int64_t count, gpr_class class)
{
  gpr_array y = { .class = class, .ndims = x->ndims > dim ? x->ndims : (int) dim };
  for (int d = 0; d < y.ndims; d++)
    y.dims[d] = d + 1 == dim ? count : d < x->ndims ? x->dims[d] : 1;
  while (y.ndims > 2 && y.dims[y.ndims - 1] == 1)
    y.ndims--;
  return y;
}

/* ---- quantiles ---------------------------------------------------------------------------- */

/* Probabilities from 0 to 1.  Of others, and of one number above 1, releases have different rules.  */
static bool
take_probabilities (const mxArray *m, double scale, const double **p, int *count, bool *column)
{
  static const double usual[] = { 0, 0.25, 0.5, 0.75, 1 };
  *p = usual;
  *count = 5;
  *column = false;
  if (! m || (mxIsNumeric (m) && mxIsEmpty (m)))
    return true;
  if (! mxIsDouble (m) || mxIsComplex (m) || mxIsSparse (m) || mxGetNumberOfDimensions (m) != 2 || (mxGetM (m) != 1 && mxGetN (m) != 1))
    return false;
  double *own = mxMalloc (mxGetNumberOfElements (m) * sizeof *own);     /* freed by Octave after the call */
  *p = own;
  *count = (int) mxGetNumberOfElements (m);
  *column = mxGetM (m) != 1;
  for (int i = 0; i < *count; i++)
    {
      own[i] = ((const double *) mxGetData (m))[i] / scale;
      if (! (own[i] >= 0 && own[i] <= 1))
        return false;
    }
  return mxGetNumberOfElements (m) < INT32_MAX / 2;
}

static bool
take_method (const mxArray *m, int *method)
{
  int64_t n = 5;
  if (m && (! mxIsDouble (m) || ! gpr_mx_count (m, &n) || n > 9))
    return false;
  *method = (int) n;
  return true;
}

static bool
takes_class (const gpr_array *x)
{
  return x->class != GPR_CLASS_logical || gpr_rule_holds (GPR_RULE_quantile_logical);
}

/* quantile (x, p, dim, method), prctile (x, p, dim[, method]): p of this scale.  Over a dimension that x has not there is
   nothing to compute, and releases differ in class and shape.  */
static void
run_quantiles (gpr_call *c, const char *builtin, double scale)
{
  const double start = gpr_now_ms ();
  gpr_array x = { .ndims = 0 };
  gpr_selection s = { 0 };
  gpr_output out = { 0 };
  int64_t dim = 0, sizes[3];
  bool column;

  gpr_mx_take_device (c);
  gpr_mx_gather_from (c, 1);
  c->builtin = builtin;
  const mxArray *p = c->nrhs > 1 ? c->rhs[1] : NULL, *along = c->nrhs > 2 ? c->rhs[2] : NULL, *method = c->nrhs > 3 ? c->rhs[3] : NULL;
  if (c->nrhs < 1 || c->nrhs > (scale == 1 || gpr_rule_holds (GPR_RULE_prctile_method) ? 4 : 3) || c->nlhs > 1 || ! take_x (c, along, &x, &dim, sizes)
      || ! takes_class (&x) || dim > x.ndims || ! take_probabilities (p, scale, &s.p, &s.results, &column) || ! take_method (method, &s.method))
    {
      if (gpr_is_divided (&x) && dim == c->divided->dim + 1)
        c->divided->reduced = true;
      gpr_mx_ask_builtin (c);
      return;
    }
  const bool piece = gpr_mx_takes_piece (c, c->rhs[0], &x, dim);
  if (piece)
    sizes_along (&x, dim, sizes);
  const gpr_choice choice = gpr_mx_choose (c, &x, NULL, GPR_WORK_MEDIAN, sizes[0]);
  s.elem = gpr_array_elem (&x);
  s.inner = sizes[0];
  s.length = sizes[1];
  s.outer = sizes[2];
  if (s.length == 1)            /* the element itself, without arithmetic */
    s.method = 1;
  gpr_array y = sized (&x, dim, s.results, x.class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double);
  const int64_t n = gpr_array_numel (&y);
  if (y.ndims == 2 && (y.dims[0] == 1 || y.dims[1] == 1) && n > 1 && s.results > 1 && ! piece)      /* a vector lies as p does */
    {
      y.dims[column] = 1;
      y.dims[! column] = n;
    }
  gpr_mx_output (&out, &y, x.home && ! gpr_is_divided (&x) && n != 1, true);

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (&out, 1, &choice);
  s.value = out.data;
  s.out_resident = out.resident;
  if (status == GPR_OK && n > 0)
    status = gpr_select_on (&choice, &x, &s);
  status = gpr_outputs_finish (&out, 1, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  gpr_mx_deliver (c, &c->plhs[0], &choice, &out);
}

void gpr_mx_quantile (gpr_call *c) { run_quantiles (c, "quantile", 1); }
void gpr_mx_prctile (gpr_call *c) { run_quantiles (c, "prctile", 100); }

/* iqr (x, dim): each quartile by itself has x's shape.  An empty DIM is an error in some releases.  */
void
gpr_mx_iqr (gpr_call *c)
{
  gpr_array x;
  int64_t dim, sizes[3];
  mxArray *quartiles[2];

  gpr_mx_take_device (c);
  gpr_mx_gather_from (c, 1);
  c->builtin = "iqr";
  const mxArray *along = c->nrhs > 1 ? c->rhs[1] : NULL;
  if (c->nrhs < 1 || c->nrhs > 2 || c->nlhs > 1 || ! take_x (c, along, &x, &dim, sizes) || (along && ! mxIsNumeric (along)) || dim > x.ndims
      || sizes[1] == 1 || ! takes_class (&x))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  for (int k = 0; k < 2; k++)
    {
      gpr_call one = *c;
      one.nlhs = 1;
      one.plhs = &quartiles[k];
      one.nrhs = 3;
      one.rhs[1] = mxCreateDoubleScalar (k ? 0.75 : 0.25);
      one.rhs[2] = mxCreateDoubleScalar ((double) dim);
      gpr_mx_quantile (&one);
    }
  c->plhs[0] = gpr_mx_call ("minus", 2, quartiles[1], quartiles[0]);
}

/* ---- the median distance from the median ------------------------------------------------------ */

static gpr_status
deviation (const gpr_choice *choice, const gpr_array *x, gpr_selection *s)
{
  const bool there = x->home == choice->backend && x->home != &gpr_cpu_backend && ! gpr_is_divided (x) && x->device == choice->device;
  const size_t bytes = (size_t) s->inner * s->outer * gpr_elem_bytes[s->elem];
  gpr_selection median = *s;
  void *center = NULL;

  gpr_status status = GPR_OK;
  if (there)
    status = choice->backend->allocate (&center, bytes);
  else if (! (center = malloc (bytes)))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  median.value = center;
  median.out_resident = there;
  if (status == GPR_OK)
    status = gpr_select_on (choice, x, &median);
  s->center = center;
  if (status == GPR_OK)
    status = gpr_select_on (choice, x, s);
  if (there)
    choice->backend->release (center);
  else
    free (center);
  return status;
}

/* m, gpu_median's of an even number of integers, as the median of releases is that halve a saturated sum: their mad goes on from there.  */
static mxArray *
half_of_saturated (mxArray *m, const char *class)
{
  const mxArray *name = mxCreateString (class), *two = mxCreateDoubleScalar (2);
  m = gpr_mx_call ("min", 2, m, gpr_mx_call ("rdivide", 2, gpr_mx_call ("intmax", 1, name, NULL), two));
  return gpr_mx_call ("max", 2, m, gpr_mx_call ("rdivide", 2, gpr_mx_call ("intmin", 1, name, NULL), two));
}

static mxArray *
center_of (const gpr_call *c, gpr_op op, const mxArray *x, int64_t dim, const char *saturates)
{
  mxArray *center;
  gpr_call one = *c;
  one.nlhs = 1;
  one.plhs = &center;
  one.nrhs = 2;
  one.rhs[0] = x;
  one.rhs[1] = mxCreateDoubleScalar ((double) dim);
  one.builtin = gpr_operators[op].builtin;
  gpr_run_operator (&one, op);
  return saturates ? half_of_saturated (center, saturates) : center;
}

/* mad of integers and logical elements: the distances are Octave's own, rounded and saturated, not those of the selection.  Of
   logical elements at most half are 1 from the median, so that the middle of all distances is 0, or 0.5 where half are.  */
static void
run_deviation_by_steps (gpr_call *c, gpr_op op, const gpr_array *x, int64_t dim, int64_t length)
{
  if (op == GPR_OP_MEDIAN && x->class == GPR_CLASS_logical)
    {
      const mxArray *share = center_of (c, GPR_OP_MEAN, c->rhs[0], dim, NULL);
      c->plhs[0] = gpr_mx_call ("rdivide", 2, gpr_mx_call ("eq", 2, share, mxCreateDoubleScalar (0.5)), mxCreateDoubleScalar (2));
      return;
    }
  const bool even = op == GPR_OP_MEDIAN && gpr_class_is_integer (x->class) && length % 2 == 0;
  const char *saturates = even && gpr_rule_holds (GPR_RULE_median_saturates) ? gpr_class_names[x->class] : NULL;
  const mxArray *center = center_of (c, op, c->rhs[0], dim, saturates);
  const mxArray *distances = gpr_mx_call ("abs", 1, gpr_mx_call ("minus", 2, c->rhs[0], center), NULL);

  c->plhs[0] = center_of (c, op, distances, dim, saturates);
}

/* Elementwise operations on gpuArrays of 64-bit integers are the host's; and where the mean of a host array is the center, the
   m-file is as quick.  */
static bool
goes_by_steps (const gpr_call *c, gpr_op op, const gpr_array *x)
{
  return (gpr_class_is_integer (x->class) || x->class == GPR_CLASS_logical) && ! c->comm
         && (x->home ? gpr_expression_reads (x) : op == GPR_OP_MEDIAN);
}

/* mad (x, opt, dim): what is neither by steps nor mad (x, 1, dim) of floats is the built-in's.  */
void
gpr_mx_mad (gpr_call *c)
{
  const double start = gpr_now_ms ();
  gpr_array x;
  gpr_output out = { 0 };
  int64_t dim, sizes[3];

  gpr_mx_take_device (c);
  gpr_mx_gather_from (c, 1);
  c->builtin = "mad";
  const mxArray *opt = c->nrhs > 1 ? c->rhs[1] : NULL;
  const bool number = opt && mxIsDouble (opt) && ! mxIsComplex (opt) && ! mxIsSparse (opt) && mxGetNumberOfElements (opt) == 1;
  const gpr_op op = number && mxGetScalar (opt) == 1 ? GPR_OP_MEDIAN : GPR_OP_MEAN;
  const bool taken = c->nrhs <= 3 && c->nlhs <= 1 && number && (op == GPR_OP_MEDIAN || mxGetScalar (opt) == 0)
                     && take_x (c, c->nrhs > 2 ? c->rhs[2] : NULL, &x, &dim, sizes);
  if (taken && goes_by_steps (c, op, &x))
    {
      run_deviation_by_steps (c, op, &x, dim, sizes[1]);
      return;
    }
  if (! taken || op != GPR_OP_MEDIAN || (x.class != GPR_CLASS_double && x.class != GPR_CLASS_single))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  if (gpr_mx_takes_piece (c, c->rhs[0], &x, dim))
    sizes_along (&x, dim, sizes);
  const gpr_choice choice = gpr_mx_choose (c, &x, NULL, GPR_WORK_MEDIAN, sizes[0]);
  gpr_selection s = { .elem = gpr_array_elem (&x), .inner = sizes[0], .length = sizes[1], .outer = sizes[2], .results = 1,
                      .omit_nan = gpr_rule_holds (GPR_RULE_mad_omits_nan) };
  const gpr_array y = sized (&x, dim, 1, x.class);
  gpr_mx_output (&out, &y, x.home && ! gpr_is_divided (&x) && gpr_array_numel (&y) != 1, true);

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (&out, 1, &choice);
  s.value = out.data;
  s.out_resident = out.resident;
  if (status == GPR_OK && gpr_array_numel (&y) > 0)
    status = deviation (&choice, &x, &s);
  status = gpr_outputs_finish (&out, 1, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  gpr_mx_deliver (c, &c->plhs[0], &choice, &out);
}

/* ---- the k greatest or least -------------------------------------------------------------------- */

static gpr_status
rank_on (const gpr_choice *choice, const gpr_array *x, gpr_ranking *r)
{
  void *copy = NULL;
  gpr_status status = gpr_reach (x, choice, &r->x, &r->x_resident, &copy);
  if (status == GPR_OK)
    status = choice->backend->rank (r);
  free (copy);
  return status;
}

/* (x, k[, dim]): values, rows.  */
static void
run_ranking (gpr_call *c, bool greatest)
{
  const double start = gpr_now_ms ();
  gpr_array x, y;
  gpr_output out[2] = { 0 };
  gpr_ranking r = { .greatest = greatest };
  int64_t dim, sizes[3];
  double k;

  gpr_mx_take_device (c);
  gpr_mx_gather_from (c, 1);
  if (c->nrhs < 2 || c->nrhs > 3)
    gpr_mx_usage (c);
  const mxArray *count = c->rhs[1], *along = c->nrhs > 2 ? c->rhs[2] : NULL;
  if (! gpr_mx_array (c, c->rhs[0], &x) || x.complex || x.class == GPR_CLASS_char)
    gpr_mx_invalid (c, "X must be a full real numeric or logical array");
  if (! mxIsNumeric (count) || mxIsComplex (count) || mxIsSparse (count) || mxGetNumberOfElements (count) != 1
      || ! ((k = mxGetScalar (count)) >= 0) || k != floor (k))
    gpr_mx_invalid (c, "K must be a number of elements: 0, 1, 2, ...");
  dim = gpr_default_dim (&x, false) + 1;
  if (along && (! mxIsNumeric (along) || ! gpr_mx_count (along, &dim) || dim > GPR_MAX_DIMS))
    gpr_mx_invalid (c, "DIM must be a dimension: 1, 2, 3, ...");
  gpr_mx_takes_piece (c, c->rhs[0], &x, dim);
  sizes_along (&x, dim, sizes);
  r.elem = gpr_array_elem (&x);
  r.inner = sizes[0];
  r.length = sizes[1];
  r.outer = sizes[2];
  r.count = k < r.length ? (int64_t) k : r.length;
  y = sized (&x, dim, r.count, x.class);
  const gpr_choice choice = gpr_mx_choose (c, &x, NULL, GPR_WORK_MEDIAN, sizes[0]);
  const bool any = gpr_array_numel (&y) > 0, stays = x.home && ! gpr_is_divided (&x) && gpr_array_numel (&y) != 1;
  gpr_mx_output (&out[0], &y, stays, any);
  y.class = GPR_CLASS_double;
  if (c->nlhs > 1)
    gpr_mx_output (&out[1], &y, stays, any);

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (out, 2, &choice);
  r.value = out[0].data;
  r.index = out[1].data;
  r.out_resident = out[0].resident;
  if (status == GPR_OK && any)
    status = rank_on (&choice, &x, &r);
  status = gpr_outputs_finish (out, 2, &choice, status);
  gpr_note_call (c, &choice, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  for (int i = 0; i < (c->nlhs > 1 ? 2 : 1); i++)
    gpr_mx_deliver (c, &c->plhs[i], &choice, &out[i]);
}

void gpr_mx_maxk (gpr_call *c) { run_ranking (c, true); }
void gpr_mx_mink (gpr_call *c) { run_ranking (c, false); }
