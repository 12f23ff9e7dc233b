/* Options of gpu_histcounts and gpu_histcounts2.  */

#include <stdio.h>
#include <string.h>

#include "histcounts.h"

static const char *const method_names[GPR_METHODS] = { "auto", "scott", "fd", "integers", "sturges", "sqrt" };
static const char *const norm_names[GPR_NORMS] = { "count", "probability", "percentage", "countdensity", "pdf", "cumcount", "cdf" };

/* Which of the names the value is; others are an error of the option.  */
static int
find_name (const gpr_call *c, const char *option, const mxArray *value, const char *const *names, int count)
{
  char list[200] = "";

  for (int i = 0; i < count; i++)
    {
      const size_t used = strlen (list);
      if (gpr_mx_option (value, names[i]))
        return i;
      snprintf (list + used, sizeof list - used, "%s\"%s\"", i ? ", " : "", names[i]);
    }
  gpr_mx_invalid (c, "%s must be %s", option, list);
}

gpr_normalization
gpr_take_normalization (const gpr_call *c, const mxArray *value)
{
  return find_name (c, "Normalization", value, norm_names, GPR_NORMS);
}

/* Two or more numbers that do not decrease.  */
static bool
are_edges (const mxArray *m)
{
  const size_t n = mxGetNumberOfElements (m);
  const double *v = mxGetData (m);
  const float *f = mxGetData (m);

  for (size_t i = 1; i < n; i++)
    if (! (mxIsSingle (m) ? f[i - 1] <= f[i] : v[i - 1] <= v[i]))
      return false;
  return n > 1;
}

void
gpr_bin_option (const gpr_call *c, gpr_bin_choice *r, const char *name, const mxArray *value, int methods)
{
  const bool number = (mxIsNumeric (value) || mxIsLogical (value)) && ! mxIsComplex (value);
  const mxArray *floats = number ? gpr_mx_reals (c, value, mxIsSingle (value) ? GPR_CLASS_single : GPR_CLASS_double) : NULL;
  const double *v = number ? mxGetData (gpr_mx_reals (c, value, GPR_CLASS_double)) : NULL;
  const size_t n = number ? mxGetNumberOfElements (floats) : 0;
  const char *what = name + (name[0] == 'X' || name[0] == 'Y');

  if (strcmp (what, "BinEdges") == 0)
    {
      if (! number || ! are_edges (floats))
        gpr_mx_invalid (c, "%s must be a vector of two or more numbers that do not decrease", name);
      r->by = GPR_BY_EDGES;
      r->edges = floats;
    }
  else if (strcmp (what, "BinLimits") == 0)
    {
      if (n != 2 || ! isfinite (v[0]) || ! isfinite (v[1]) || v[0] > v[1])
        gpr_mx_invalid (c, "%s must be two finite numbers [LO HI], LO not above HI", name);
      r->limited = true;
      memcpy (r->limits, v, sizeof r->limits);
    }
  else if (strcmp (what, "BinWidth") == 0)
    {
      if (n != 1 || ! (v[0] > 0 && isfinite (v[0])))
        gpr_mx_invalid (c, "%s must be a positive finite number", name);
      r->by = GPR_BY_WIDTH;
      r->value = v[0];
    }
  else if (strcmp (what, "NumBins") == 0)
    {
      if (n != 1 || ! (v[0] >= 1 && isfinite (v[0]) && v[0] == floor (v[0])))
        gpr_mx_invalid (c, "%s must be a positive integer", name);
      r->by = GPR_BY_NUMBER;
      r->value = v[0];
    }
  else
    {
      r->method = find_name (c, name, value, method_names, methods);
      r->by = GPR_BY_METHOD;
    }
  if (r->by == GPR_BY_EDGES && r->limited)
    gpr_mx_invalid (c, "bin limits do not go with bin edges");
}
