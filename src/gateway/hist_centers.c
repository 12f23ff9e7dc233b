/* Centers of the bins of gpu_hist.  */

#include <stdlib.h>

#include "../cpu/cpu.h"
#include "divided.h"
#include "hist.h"

#define DEFINE_FINITE_EXTREMES(T) \
  static void \
  finite_extremes_##T (const T *v, int64_t n, double *low, double *high) \
  { \
    for (int64_t i = 0; i < n; i++) \
      if (isfinite (v[i])) \
        { \
          *low = ! (*low <= v[i]) ? v[i] : *low; \
          *high = ! (*high >= v[i]) ? v[i] : *high; \
        } \
  }
DEFINE_FINITE_EXTREMES (double)
DEFINE_FINITE_EXTREMES (float)

/* The least and the greatest finite element; 0 without one.  */
static void
find_limits (const gpr_call *c, gpr_histogram *h, double *low, double *high)
{
  gpr_array *y = &h->b.x;
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  const void *data;
  void *copy;
  bool resident;

  *low = *high = 0;
  if (gpr_array_numel (y) == 0)
    return;
  gpr_mx_expect_readings (c, h->b.m, y, 2);
  gpr_mx_extremes (c, h->b.m, y, low, high);
  if (isfinite (*low) && isfinite (*high))
    return;
  gpr_mx_settle (c, h->b.m, y);
  gpr_array own = *y;
  if (gpr_is_divided (y))
    gpr_mx_here (c, h->b.m, &own);
  *low = *high = NAN;
  gpr_status status = gpr_reach (&own, &host, &data, &resident, &copy);
  if (status == GPR_OK)
    {
      if (y->class == GPR_CLASS_single)
        finite_extremes_float (data, gpr_array_numel (&own), low, high);
      else
        finite_extremes_double (data, gpr_array_numel (&own), low, high);
    }
  free (copy);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  if (gpr_is_divided (y))
    gpr_mx_bounds_of_all (c, low, high);
  if (isnan (*low))
    *low = *high = 0;
}

/* Evenly spaced over the finite elements.  */
void
gpr_make_centers (const gpr_call *c, gpr_histogram *h, int64_t n)
{
  double low, high;

  find_limits (c, h, &low, &high);
  h->single = h->b.x.class == GPR_CLASS_single && gpr_array_numel (&h->b.x) > 0;
  h->even = true;
  h->bins = n;
  h->centers = gpr_mx_doubles (n);
  const double range = gpr_rounded (h, high - low), twice = (double) (2 * n);
  if (low != high && ! (range <= 20 * 0x1p-52 && gpr_rule_holds (GPR_RULE_hist_close)))
    {
      /* Whole numbers until the division, which comes last.  */
      const double origin = gpr_rounded (h, gpr_rounded (h, twice) * low);
      for (int64_t i = 0; i < n; i++)
        h->centers[i] = gpr_rounded (h, gpr_rounded (h, gpr_rounded (h, range * gpr_rounded (h, (double) (2 * i + 1))) + origin) / gpr_rounded (h, twice));
    }
  else
    {
      const double first = - (double) ((n - 1) / 2);    /* -0 where the built-in has it */
      for (int64_t i = 0; i < n; i++)
        h->centers[i] = gpr_rounded (h, gpr_rounded (h, i == 0 ? first : first + (double) i) + low);
    }
}

static bool
are_even (const gpr_histogram *h)
{
  const double *x = h->centers, step = gpr_rounded (h, x[1] - x[0]);
  double most = NAN;
  bool equal = true, close = true;

  for (int64_t i = 0; i < h->bins; i++)
    most = ! (most >= fabs (x[i])) && ! isnan (x[i]) ? fabs (x[i]) : most;
  const double near = gpr_eps (h->single, most);
  for (int64_t i = 1; i < h->bins; i++)
    {
      const double other = gpr_rounded (h, x[i] - x[i - 1]);
      equal &= other == step;
      close &= ! (fabs (gpr_rounded (h, other - step)) > near);
    }
  return equal || (close && gpr_rule_holds (GPR_RULE_hist_even));
}

static void
given_centers (const gpr_call *c, gpr_histogram *h, const mxArray *m)
{
  gpr_array x;

  gpr_mx_array (c, m, &x);
  h->bins = gpr_array_numel (&x);
  h->single = x.class == GPR_CLASS_single;
  m = gpr_mx_reals (c, m, GPR_CLASS_double);
  h->centers = mxGetData (m);
  h->even = are_even (h);
  if (! gpr_mx_is_sorted (m))
    {
      gpr_mx_warn (c, "bin values X not sorted on input");
      h->centers = mxGetData (gpr_mx_sorted (m));
    }
}

/* The argument X or NBINS.  */
void
gpr_take_centers (const gpr_call *c, gpr_histogram *h, const mxArray *m)
{
  gpr_array x;

  if (! gpr_mx_is_real (c, m))
    gpr_mx_refuse (c, "bin specification must be a numeric scalar or vector");
  m = gpr_mx_full (c, m, &x);
  if (gpr_array_numel (&x) == 1)
    {
      const double n = mxGetScalar (m);
      if (! (n >= 1))
        gpr_mx_refuse (c, "number of bins NBINS must be positive");
      if (! (n < 0x1p53))
        gpr_mx_invalid (c, "number of bins NBINS must be finite");
      gpr_make_centers (c, h, (int64_t) n);
    }
  else if (gpr_is_vector (&x) && gpr_array_numel (&x) > 0)
    given_centers (c, h, m);
  else
    gpr_mx_refuse (c, "bin specification must be a scalar or vector");
}

mxArray *
gpr_centers (const gpr_histogram *h)
{
  const gpr_array x = { .class = h->single ? GPR_CLASS_single : GPR_CLASS_double, .ndims = 2,
                        .dims = { h->b.row ? 1 : h->bins, h->b.row ? h->bins : 1 } };
  void *to;
  mxArray *m = gpr_mx_create (&x, &to);
  for (int64_t i = 0; i < h->bins; i++)
    if (h->single)
      ((float *) to)[i] = (float) h->centers[i];
    else
      ((double *) to)[i] = h->centers[i];
  return m;
}
