/* The edges that gpu_histcounts and gpu_histcounts2 choose.  The help of gpu_histcounts has the
   rules, and where they come from.  */

#include <float.h>
#include <string.h>

#include "histcounts.h"

/* The elements, or the limits, that bins are chosen between; any: there are such.  */
typedef struct {
  bool any, fixed, single;
  double low, high, most;
} range;

/* Room for so many and some.  Too many are an error of Octave's.  */
static gpr_edges
edges_of (double bins)
{
  gpr_edges e = { .count = (int64_t) gpr_smaller (bins, 0x1p50) + 1 };
  e.at = gpr_mx_doubles (e.count + 1);
  return e;
}

static gpr_edges
equal_bins (double low, double high, double bins)
{
  gpr_edges e = edges_of (bins);
  mxArray *in[3] = { mxCreateDoubleScalar (low), mxCreateDoubleScalar (high), mxCreateDoubleScalar (bins + 1) }, *out[1];

  mexCallMATLAB (1, out, 3, in, "linspace");
  memcpy (e.at, mxGetData (out[0]), e.count * sizeof *e.at);
  return e;
}

/* So many from first on, step apart.  */
static gpr_edges
steps (double first, double step, double bins)
{
  gpr_edges e = edges_of (bins);
  for (int64_t i = 0; i < e.count; i++)
    e.at[i] = first + (double) i * step;
  return e;
}

static double
larger_end (const range *r)
{
  return gpr_larger (fabs (r->low), fabs (r->high));
}

/* The distance of numbers of the class.  */
static double
step_of (const range *r)
{
  const double top = larger_end (r);
  return gpr_eps (r->single, r->single ? (double) (float) top : top);
}

/* Values so near to each other that they count as equal.  */
static bool
constant (const range *r)
{
  const double eps = r->single ? FLT_EPSILON : DBL_EPSILON, near = gpr_smaller (sqrt (step_of (r)), sqrt (eps) * larger_end (r));
  return r->high - r->low <= gpr_larger (near, r->single ? FLT_MIN : DBL_MIN);
}

/* Of values too near to each other for a nice width: about 1 wide, to multiples of one half.  */
static gpr_edges
around (const range *r, double bins)
{
  const double reach = gpr_larger (0.25, bins * step_of (r));
  return equal_bins (floor (2 * (r->low - reach)) / 2, ceil (2 * (r->high + reach)) / 2, bins);
}

/* Edges at multiples of w that cover low to high.  */
static gpr_edges
multiples (const range *r, double w)
{
  const double left = gpr_smaller (w * floor (r->low / w), r->low);
  return steps (left, w, gpr_larger (1, ceil ((r->high - left) / w)));
}

static double
power_of_ten (double w)
{
  return pow (10, floor (log10 (w)));
}

static gpr_edges
by_number (const range *r, double bins)
{
  if (r->fixed)
    return equal_bins (r->low, r->high, bins);
  if (! r->any)
    return steps (0, 1, bins);
  if (constant (r))
    return around (r, bins);
  double w = gpr_larger ((r->high - r->low) / bins, step_of (r)), p = power_of_ten (w);
  w = p * gpr_larger (1, floor (w / p));
  const double left = gpr_smaller (w * floor (r->low / w), r->low);
  if (bins > 1)
    {
      /* The width with the fewest digits with which high is in the last bin.  */
      const double least = (r->high - left) / bins;
      p = power_of_ten ((r->high - left) / (bins - 1) - least);
      w = p * ceil (least / p);
    }
  return steps (left, w, bins);
}

static gpr_edges
by_width (const range *r, double w)
{
  if (! r->any)
    return steps (0, w, 1);
  w = gpr_larger (w, step_of (r));
  const double bins = (r->high - r->low) / w;
  gpr_edges e = { .count = 0 };
  if (bins <= r->most && r->fixed)
    {
      const double end = r->high - 4 * gpr_eps (false, larger_end (r));
      e = steps (r->low, w, ceil (bins));
      e.at[0] = r->low;
      while (e.count > 1 && ! (e.at[e.count - 1] < end))
        e.count--;
      e.at[e.count++] = r->high;
    }
  else if (bins <= r->most)
    e = multiples (r, w);
  return bins > r->most || (double) e.count > r->most + 1 ? equal_bins (r->low, r->high, r->most) : e;
}

static gpr_edges
by_integers (const range *r)
{
  const double step = step_of (r);
  double w = 1;

  if (! r->any)
    return steps (-0.5, 1, 1);
  if (r->high - r->low > r->most)
    w = pow (10, ceil (log10 ((r->high - r->low) / r->most)));
  else if (step > 1)
    w = pow (10, ceil (log10 (step)));
  const double first = r->fixed ? ceil (r->low / w) + 0.5 : round (r->low / w) - 0.5;
  const double last = r->fixed ? floor (r->high / w) - 0.5 : round (r->high / w) + 0.5;
  const int64_t between = last >= first ? (int64_t) (last - first) + 1 : 0;
  gpr_edges e = { .count = between + 2 * r->fixed, .at = gpr_mx_doubles (between + 2) };
  for (int64_t i = 0; i < between; i++)
    e.at[i + r->fixed] = (first + (double) i) * w;
  if (r->fixed)
    {
      e.at[0] = r->low;
      e.at[e.count - 1] = r->high;
    }
  return e;
}

static gpr_edges
by_raw_width (const range *r, const gpr_bin_data *d, double w)
{
  static const double widths[] = { 1, 2, 3, 5, 10 }, from[] = { 1.5, 2.5, 4, 7.5 };
  const range of_data = { .single = d->single, .low = d->low, .high = d->high };
  int k = 0;

  if (r->fixed)
    {
      const bool one = ! d->any || constant (&of_data);
      return equal_bins (r->low, r->high, one ? 1 : gpr_larger (1, gpr_smaller (r->most, ceil ((r->high - r->low) / w))));
    }
  if (! r->any)
    return steps (0, 1, 1);
  if (constant (r))
    return around (r, 1);
  w = gpr_larger (w, step_of (r));
  const double p = power_of_ten (w);
  while (k < 4 && w / p >= from[k])
    k++;
  return multiples (r, p * widths[k]);
}

static gpr_edges
given_edges (const gpr_call *c, const gpr_array *x, const mxArray *m)
{
  gpr_edges e = { .count = (int64_t) mxGetNumberOfElements (m) };
  const double *v = mxGetData (gpr_mx_reals (c, m, GPR_CLASS_double));

  e.single = x->class == GPR_CLASS_single || (x->class == GPR_CLASS_double && mxIsSingle (m));
  e.at = gpr_mx_doubles (e.count);
  for (int64_t i = 0; i < e.count; i++)
    e.at[i] = e.single ? (float) v[i] : v[i];
  return e;
}

static gpr_edges
by_choice (const gpr_call *c, const range *r, const gpr_bin_data *d, const gpr_bin_choice *choice, int root)
{
  gpr_bin_method method = choice->method;

  if (choice->by == GPR_BY_NUMBER)
    return by_number (r, choice->value);
  if (choice->by == GPR_BY_WIDTH)
    return by_width (r, choice->value);
  if (method == GPR_METHOD_AUTO)
    method = gpr_are_whole (c, d, r->low, r->high) ? GPR_METHOD_INTEGERS : GPR_METHOD_SCOTT;
  return method == GPR_METHOD_INTEGERS ? by_integers (r) : by_raw_width (r, d, gpr_raw_width (c, d, method, root));
}

gpr_edges
gpr_choose_edges (const gpr_call *c, const mxArray *m, const gpr_array *x, const gpr_bin_choice *choice, double most, int root)
{
  range r = { .any = true, .fixed = choice->limited, .single = x->class == GPR_CLASS_single,
              .low = choice->limits[0], .high = choice->limits[1], .most = most };
  const bool asks_more = choice->by == GPR_BY_METHOD && choice->method != GPR_METHOD_INTEGERS;     /* than the bounds */
  gpr_bin_data d = { .single = r.single };
  gpr_array known = *x;

  if (choice->by == GPR_BY_EDGES)
    return given_edges (c, x, choice->edges);
  if (asks_more)
    gpr_mx_settle (c, m, &known);
  else if (! r.fixed)
    gpr_mx_expect_readings (c, m, &known, 2);
  if (! r.fixed || asks_more)
    d = gpr_look_at (c, m, &known, r.single, r.fixed ? choice->limits : NULL);
  if (! r.fixed)
    {
      r.any = d.any;
      r.low = d.low;
      r.high = d.high;
    }
  if (r.any && ! (r.high - r.low < DBL_MAX / 16))
    gpr_mx_raise (c, gpr_fail (GPR_UNSUPPORTED, "no bins are chosen for values so far apart; give the edges"));

  gpr_edges e = by_choice (c, &r, &d, choice, root);
  e.single = r.single;

  /* Rounding leaves nothing outside, and no edge overflows.  */
  const double top = e.single ? FLT_MAX : DBL_MAX;
  if (! r.fixed && r.any)
    {
      e.at[0] = gpr_smaller (e.at[0], r.low);
      e.at[e.count - 1] = gpr_larger (e.at[e.count - 1], r.high);
    }
  for (int64_t i = 0; i < e.count; i++)
    {
      e.at[i] = gpr_larger (gpr_smaller (e.at[i], top), -top);
      e.at[i] = e.single ? (float) e.at[i] : e.at[i];
    }
  return e;
}
