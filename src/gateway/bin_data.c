/* What is asked of the elements before their bins are chosen.  */

#include <float.h>
#include <stdlib.h>

#include "../core/bin_cuts.h"
#include "../core/select.h"
#include "../cpu/cpu.h"
#include "divided.h"
#include "histcounts.h"

/* How many there are between edges, the last bin with both.  */
static const double *
count_between (const gpr_call *c, const gpr_bin_data *d, const double *edges, int64_t count, bool single)
{
  gpr_binning b = { .m = d->m, .x = d->x, .to_host = true,
                    .k = { .rule = GPR_BIN_CLOSED, .single_precision = single, .bins = count - 1, .edges = edges } };
  mxArray *counts;

  if (single)
    {
      float *floats = mxMalloc (count * sizeof *floats);
      for (int64_t i = 0; i < count; i++)
        floats[i] = (float) edges[i];
      b.k.edges = floats;
    }
  gpr_mx_run_binning (c, &b, &counts, NULL);
  return mxGetData (counts);
}

/* ---- the elements ---------------------------------------------------------------------- */

static void
find_extremes (const gpr_call *c, gpr_bin_data *d)
{
  d->low = d->high = NAN;
  if (gpr_array_numel (&d->x) > 0)
    gpr_mx_extremes (c, d->m, &d->x, &d->low, &d->high);
  d->any = ! isnan (d->low);
}

/* Those within the limits, to the front of y, of x's class; returns their number.  */
static int64_t
keep_within (enum gpr_elem elem, const void *x, int64_t n, const double *limits, void *y)
{
  int64_t kept = 0;
  switch (elem)
    {
#define KEEP(T, wide) \
    case GPR_##T: \
      for (int64_t i = 0; i < n; i++) \
        if (((const T *) x)[i] >= (wide) limits[0] && ((const T *) x)[i] <= (wide) limits[1]) \
          ((T *) y)[kept++] = ((const T *) x)[i]; \
      break;
    KEEP (f64, double) KEEP (f32, double) KEEP (i8, double) KEEP (u8, double) KEEP (i16, double) KEEP (u16, double)
    KEEP (i32, double) KEEP (u32, double) KEEP (i64, long double) KEEP (u64, long double)
#undef KEEP
    default: break;
    }
  return kept;
}

/* A column on the host; of a piece each rank's own.  */
static void
leave_out_others (const gpr_call *c, gpr_bin_data *d, const double *limits)
{
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  const bool divided = gpr_is_divided (&d->x);
  const void *from;
  void *to, *copy;
  bool resident;

  gpr_mx_settle (c, d->m, &d->x);
  if (divided)
    gpr_mx_here (c, d->m, &d->x);
  gpr_array y = { .class = d->x.class, .ndims = 2, .dims = { gpr_array_numel (&d->x), 1 } };
  mxArray *m = gpr_mx_create (&y, &to);
  gpr_status status = gpr_reach (&d->x, &host, &from, &resident, &copy);
  if (status == GPR_OK)
    y.dims[0] = keep_within (gpr_array_elem (&y), from, y.dims[0], limits, to);
  free (copy);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  mxSetM (m, y.dims[0]);
  d->m = divided ? gpr_mx_picked (c, m) : m;
  gpr_mx_array (c, m, &d->x);
}

gpr_bin_data
gpr_look_at (const gpr_call *c, const mxArray *m, const gpr_array *x, bool single, const double *limits)
{
  gpr_bin_data d = { .m = m, .x = *x, .single = single };
  const double top = single ? FLT_MAX : DBL_MAX;
  double within[2] = { -top, top };

  for (int i = 0; limits && i < 2; i++)
    {
      within[i] = gpr_larger (gpr_smaller (limits[i], top), -top);
      within[i] = single ? (float) within[i] : within[i];
    }
  find_extremes (c, &d);
  if (d.low < within[0] || d.high > within[1])
    {
      leave_out_others (c, &d, within);
      find_extremes (c, &d);
    }
  return d;
}

bool
gpr_are_whole (const gpr_call *c, const gpr_bin_data *d, double low, double high)
{
  enum { MOST = 50 };
  double edges[2 * (MOST + 1)] = { 0 };         /* gcc 14 does not see that there is a value */
  const double most = d->single ? 0x1p23 : 0x1p52;

  if (! d->any || high - low > MOST || fabs (low) > most || fabs (high) > most)
    return false;
  if (! gpr_is_floating (d->x.class))
    return true;
  if (d->low != floor (d->low) || d->high != floor (d->high))
    return false;
  /* Bins of the whole numbers, which hold these only, and bins of what is between.  */
  const int values = (int) (d->high - d->low) + 1;
  for (int i = 0; i < values; i++)
    {
      edges[2 * i] = d->low + i;
      edges[2 * i + 1] = gpr_after (d->single, d->low + i);
    }
  const double *n = count_between (c, d, edges, 2 * values, d->single);
  for (int i = 1; i < 2 * values - 1; i += 2)
    if (n[i] > 0)
      return false;
  return true;
}

/* ---- widths ---------------------------------------------------------------------------- */

/* Number of elements that are not NaN.  */
static double
count (const gpr_call *c, const gpr_bin_data *d)
{
  const double all[2] = { -INFINITY, INFINITY };
  return gpr_is_floating (d->x.class) ? *count_between (c, d, all, 2, d->single) : (double) gpr_array_numel (&d->x);
}

/* The sum of the squared distances from the mean, and the number of elements.  */
static double
squares_of (const gpr_call *c, const mxArray *m, double *n)
{
  gpr_call sub = *c;
  gpr_array x;
  mxArray *numbers;

  gpr_mx_array (c, m, &x);
  if (! gpr_is_floating (x.class))
    m = gpr_mx_converted (c, m, GPR_CLASS_double, false, &x);
  sub.builtin = NULL;
  sub.nlhs = 1;
  sub.plhs = &numbers;
  sub.nrhs = 3;
  sub.rhs[0] = m;
  const int dims = c->divided && c->divided->dim >= x.ndims ? c->divided->dim + 1 : x.ndims;    /* the divided one too */
  sub.rhs[1] = mxCreateDoubleMatrix (1, dims, mxREAL);
  for (int k = 0; k < dims; k++)
    ((double *) mxGetData (sub.rhs[1]))[k] = k + 1;
  sub.rhs[2] = mxCreateString ("omitnan");
  gpr_run_operator (&sub, GPR_OP_STATS);
  const double *of = mxGetData (numbers);
  *n = of[0];
  return of[3] * gpr_larger (of[0] - 1, 1);
}

/* The same from the counts of the values, without a copy of x in floating point.  */
static double
squares_of_values (const gpr_call *c, const gpr_bin_data *d, double *n)
{
  const int64_t values = (int64_t) (d->high - d->low) + 1;
  double *edges = gpr_mx_doubles (values + 1), sum = 0, squares = 0;

  for (int64_t i = 0; i < values; i++)
    edges[i] = d->low + (double) i - 0.5;
  edges[values] = d->high + 0.5;
  const double *counts = count_between (c, d, edges, values + 1, false);
  *n = (double) gpr_array_numel (&d->x);
  for (int64_t i = 0; i < values; i++)
    sum += counts[i] * (d->low + (double) i - d->low);
  const double mean = d->low + sum / *n;
  for (int64_t i = 0; i < values; i++)
    {
      const double off = d->low + (double) i - mean;
      squares += counts[i] * (off * off);
    }
  return squares;
}

/* The number of elements and their standard deviation.  */
static double
deviation (const gpr_call *c, const gpr_bin_data *d, double *n)
{
  double squares, scale = 1;
  int e;

  if (! gpr_is_floating (d->x.class) && d->high - d->low < 0x1p16)
    squares = squares_of_values (c, d, n);
  else
    {
      squares = squares_of (c, d->m, n);
      if (! (squares > DBL_MIN / DBL_EPSILON && squares < INFINITY) && d->high > d->low)
        {
          const bool divided = gpr_is_divided (&d->x);
          const mxArray *host = d->x.home && ! divided ? gpr_mx_call ("gather", 1, d->m, NULL) : d->m;
          frexp (gpr_larger (fabs (d->low), fabs (d->high)), &e);
          scale = ldexp (1, e - 1);
          const mxArray *scaled = gpr_mx_call ("rdivide", 2, gpr_mx_call ("double", 1, host, NULL), mxCreateDoubleScalar (scale));
          squares = squares_of (c, divided ? gpr_mx_divided_alike (c, d->m, scaled) : scaled, n);
        }
    }
  return sqrt (squares / gpr_larger (*n - 1, 1)) * scale;
}

static double
between_quartiles_of_all (const gpr_call *c, const gpr_array *x)
{
  static const double p[2] = { 0.25, 0.75 };
  const gpr_choice ranks = { .backend = &gpr_ranks_backend };
  double q[2];
  gpr_selection s = { .elem = GPR_f64, .inner = 1, .length = gpr_array_numel (x), .outer = 1, .p = p, .results = 2, .value = q,
                      .method = gpr_array_numel (x) == 1 ? 1 : 5 };
  const gpr_status status = gpr_select_on (&ranks, x, &s);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  return q[1] - q[0];
}

/* Between the quartiles of those that are not NaN, and their number.  */
static double
between_quartiles (const gpr_call *c, const gpr_bin_data *d, double *n)
{
  const double all[2] = { -INFINITY, INFINITY };
  gpr_bin_data real = *d;
  gpr_array x;

  leave_out_others (c, &real, all);
  x = real.x;
  *n = (double) gpr_array_numel (&x);
  real.m = gpr_mx_converted (c, real.m, GPR_CLASS_double, false, &x);
  if (gpr_is_divided (&x))
    return between_quartiles_of_all (c, &x);
  mxArray *in[4] = { (mxArray *) real.m, mxCreateDoubleMatrix (2, 1, mxREAL), mxCreateDoubleScalar (1), mxCreateDoubleScalar (5) }, *out[1];
  ((double *) mxGetData (in[1]))[0] = 0.25;
  ((double *) mxGetData (in[1]))[1] = 0.75;
  mexCallMATLAB (1, out, 4, in, "quantile");
  const double *q = mxGetData (out[0]);
  return q[1] - q[0];
}

double
gpr_raw_width (const gpr_call *c, const gpr_bin_data *d, gpr_bin_method method, int root)
{
  const double range = d->high - d->low;
  double n;

  if (! d->any)
    return 0;
  if (method == GPR_METHOD_SCOTT)
    {
      const double width = 3.5 * deviation (c, d, &n);
      return width / pow (n, 1.0 / root);
    }
  if (method == GPR_METHOD_FD)
    {
      /* Quartiles that are close together, beside the range, would make too many bins.  */
      const double between = gpr_larger (between_quartiles (c, d, &n), range / 10);
      return 2 * between / pow (n, 1.0 / root);
    }
  n = count (c, d);
  return range / ceil (method == GPR_METHOD_STURGES ? 1 + log2 (n) : sqrt (n));
}
