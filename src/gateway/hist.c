/* gpu_hist (y, nbins or centers, norm): elements around centers.  */

#include <string.h>

#include "../core/bin_cuts.h"
#include "divided.h"
#include "hist.h"

/* ---- Y ---------------------------------------------------------------------------- */

static void
take_values (const gpr_call *c, gpr_histogram *h)
{
  gpr_array *y = &h->b.x;

  if (! gpr_mx_is_real (c, c->rhs[0]))
    gpr_mx_refuse (c, "Y must be real-valued");
  h->b.m = gpr_mx_full (c, c->rhs[0], y);
  if (y->ndims > 2 && ! gpr_rule_holds (GPR_RULE_hist_pages))
    gpr_mx_refuse (c, "Y must be a 2-D array");
  if (c->divided && y->ndims > 2 && c->divided->dim > 0 && c->divided->dim < y->ndims - 1)
    gpr_mx_not_last (c, "where its pages are columns too");
  for (; y->ndims > 2; y->ndims--)
    y->dims[y->ndims - 2] *= y->dims[y->ndims - 1];
  h->b.row = gpr_is_vector (y);
  h->b.dim = ! h->b.row;
}

/* ---- norm --------------------------------------------------------------------------- */

/* NORM as a row.  Of a matrix, a column with a number that is not positive is not yet an error of its own.  */
static const mxArray *
take_norm (const gpr_call *c, const gpr_histogram *h, const mxArray *m)
{
  const gpr_array *y = &h->b.x;
  const int64_t columns = h->b.row ? 1 : y->dims[1], n = (int64_t) mxGetNumberOfElements (m), row[2] = { 1, n };

  const mxArray *positive = mxIsNumeric (m) ? gpr_mx_call ("gt", 2, m, mxCreateDoubleScalar (0)) : NULL;
  if (positive)
    {
      const mxArray *all = gpr_mx_call ("all", 1, positive, NULL);
      const int64_t line[2] = { 1, (int64_t) mxGetNumberOfElements (all) };
      positive = gpr_mx_call ("full", 1, gpr_mx_call ("any", 1, gpr_mx_reshaped (all, 2, line), NULL), NULL);
    }
  if (! positive || ! mxIsLogicalScalarTrue (positive))
    gpr_mx_refuse (c, "NORM must be a numeric constant > 0");
  if (mxGetNumberOfDimensions (m) > 2 || (mxGetM (m) != 1 && mxGetN (m) != 1) || (n != 1 && n != columns))
    gpr_mx_refuse (c, "NORM must be scalar or vector of length 'columns (Y)'");
  return gpr_mx_reshaped (mxIsSparse (m) ? gpr_mx_call ("full", 1, m, NULL) : m, 2, row);
}

/* Those of NORM's numbers that go with this rank's columns, where Y is divided by columns.  */
static const mxArray *
own_norm (const gpr_call *c, const gpr_histogram *h, const mxArray *norm)
{
  const int64_t n = (int64_t) mxGetNumberOfElements (norm);
  int64_t dims[GPR_MAX_DIMS];

  if (h->b.row || n == 1 || ! c->divided || c->divided->dim == 0)
    return norm;
  const gpr_divided *d = c->divided;
  for (int k = 0; k <= d->dim; k++)
    dims[k] = 1;
  dims[d->dim] = d->starts[d->world.size];
  dims[0] = n / dims[d->dim];
  const mxArray *own = gpr_mx_own_part (c, gpr_mx_reshaped (norm, d->dim + 1, dims));
  const int64_t row[2] = { 1, (int64_t) mxGetNumberOfElements (own) };
  return gpr_mx_reshaped (own, 2, row);
}

/* In the classes of Octave's own operations, whatever NORM's is.  */
static mxArray *
scaled (const gpr_histogram *h, const mxArray *counts, const mxArray *norm)
{
  mxArray *sums = gpr_mx_call ("sum", 2, counts, mxCreateDoubleScalar (h->b.row ? 2 : 1));
  return gpr_mx_call ("times", 2, counts, gpr_mx_call ("rdivide", 2, norm, sums));
}

/* ---- counting ------------------------------------------------------------------------- */

/* Few cuts hist compares with the integers themselves: those of 64 bits that no double equals
   become the next greater one, which lies on the same side of every cut.  Octave is asked which
   these are, since it takes the greatest integers for more than the double that they round to.  */
static void
compare_as_integers (const gpr_call *c, gpr_histogram *h)
{
  gpr_array *y = &h->b.x, sizes = *y;
  double low, high;

  if (gpr_array_numel (y) == 0 || (y->class != GPR_CLASS_int64 && y->class != GPR_CLASS_uint64))
    return;
  gpr_mx_extremes (c, h->b.m, y, &low, &high);
  if (low >= -0x1p53 && high <= 0x1p53)
    return;
  const bool resident = y->home && ! gpr_is_divided (y);
  mxArray *whole = gpr_mx_is_gpuarray (h->b.m) ? gpr_mx_call ("gather", 1, h->b.m, NULL) : (mxArray *) h->b.m;
  mxArray *up = gpr_mx_call ("double", 1, whole, NULL);
  const mxLogical *less = mxGetLogicals (gpr_mx_call ("lt", 2, up, whole));
  double *to = mxGetData (up);
  for (size_t i = 0; i < mxGetNumberOfElements (whole); i++)
    if (less[i])
      to[i] = -gpr_before_double (-to[i]);
  h->b.m = resident ? gpr_mx_call ("gpuArray", 1, up, NULL) : c->divided ? gpr_mx_divided_alike (c, h->b.m, up) : up;
  gpr_mx_array (c, h->b.m, y);
  y->ndims = sizes.ndims;
  memcpy (y->dims, sizes.dims, sizeof y->dims);
}

/* Half way between centers, in the class of the comparison.  */
static void
make_cuts (gpr_histogram *h)
{
  const bool single = h->b.k.single_precision;
  const int64_t n = h->bins - 1;
  const double *x = h->centers;
  double *cuts = gpr_mx_doubles (n + 1);       /* the last is none */

  for (int64_t i = 0; i <= n; i++)
    {
      const double cut = i < n ? gpr_rounded (h, gpr_rounded (h, x[i] + x[i + 1]) / 2) : NAN;
      cuts[i] = single ? (double) (float) cut : cut;
    }
  /* From 22 bins on hist looks up: what lies on a cut given more than once goes below the last of
     them, not the first.  */
  for (int64_t i = 0; i < n && n >= 21; i++)
    if (cuts[i] == cuts[i + 1] && isfinite (cuts[i]))
      cuts[i] = gpr_before (single, cuts[i]);
  h->b.k.edges = cuts;
  if (single)
    {
      float *floats = mxMalloc ((n + 1) * sizeof *floats);
      for (int64_t i = 0; i < n; i++)
        floats[i] = (float) cuts[i];
      h->b.k.edges = floats;
    }
}

/* By the rule that hist takes for so many bins.  */
static void
choose_rule (const gpr_call *c, gpr_histogram *h)
{
  const int64_t n = h->bins;
  const double *x = h->centers;
  gpr_counting *k = &h->b.k;

  k->bins = n;
  if (h->even && n >= 11)
    {
      k->rule = GPR_BIN_SPACED;
      k->single_precision = h->single;
      k->origin = gpr_rounded (h, gpr_rounded (h, x[0] + x[1]) / 2);
      k->step = gpr_rounded (h, gpr_rounded (h, x[n - 1] - x[0]) / gpr_rounded (h, (double) (n - 1)));
      return;
    }
  k->rule = GPR_BIN_CUTS;
  k->single_precision = gpr_is_floating (h->b.x.class) && (h->single || h->b.x.class == GPR_CLASS_single);
  if (! k->single_precision && n < 22)
    compare_as_integers (c, h);

  make_cuts (h);
}

/* The counts and centers: rows for a vector Y.  */
void
gpr_mx_hist_counts (gpr_call *c)
{
  gpr_histogram h = { 0 };
  mxArray *counts;
  int at = 1;

  gpr_mx_take_device (c);
  if (c->nlhs > 2)
    gpr_mx_too_many_outputs (c);
  if (c->nrhs < 1)
    gpr_mx_usage (c);
  gpr_mx_gather_from (c, 1);
  take_values (c, &h);
  if (at < c->nrhs && ! mxIsChar (c->rhs[at]))
    gpr_take_centers (c, &h, c->rhs[at++]);
  else
    gpr_make_centers (c, &h, 10);
  const mxArray *norm = at < c->nrhs && ! mxIsChar (c->rhs[at]) ? take_norm (c, &h, c->rhs[at]) : NULL;

  const bool keep = h.b.x.home && ! c->divided;
  h.b.to_host = norm != NULL;
  choose_rule (c, &h);
  gpr_mx_run_binning (c, &h.b, &counts, NULL);
  if (norm)
    counts = scaled (&h, counts, own_norm (c, &h, norm));
  if (norm && keep && mxGetNumberOfElements (counts) != 1)
    counts = gpr_mx_call ("gpuArray", 1, counts, NULL);
  c->plhs[0] = counts;
  if (c->nlhs > 1)
    c->plhs[1] = gpr_centers (&h);
}

/* May the first argument be a handle, or another name one?  Those of axes are negative and not whole.  */
static bool
may_name_axes (const gpr_call *c)
{
  const mxArray *m = c->rhs[0];

  if ((mxIsDouble (m) || mxIsSingle (m)) && mxGetNumberOfElements (m) == 1 && mxGetScalar (m) < 0
      && mxGetScalar (m) != floor (mxGetScalar (m)))
    return true;
  for (int i = 0; i < c->nrhs; i++)
    if (gpr_mx_option (c->rhs[i], "parent"))
      return true;
  return false;
}

void
gpr_mx_hist (gpr_call *c)
{
  gpr_mx_no_char_pages (c, 0);
  if (c->nrhs > 0 && ! c->comm && (c->nlhs == 0 || may_name_axes (c)))
    mexCallMATLAB (c->nlhs, c->plhs, c->nrhs, (mxArray **) c->rhs, "__gpr_draw_hist__");
  else
    gpr_mx_hist_counts (c);
}
