/* gpu_histc (x, edges, dim): elements between edges.  */

#include "bins.h"
#include "divided.h"

/* The edges as k has them, ascending, in the class of the comparison.  */
static void
take_edges (const gpr_call *c, const gpr_array *x, gpr_counting *k)
{
  gpr_array a;
  const mxArray *m = gpr_mx_full (c, c->rhs[1], &a);

  k->bins = gpr_array_numel (&a);
  if (! gpr_mx_is_sorted (m))
    {
      gpr_mx_warn (c, "edge values not sorted on input");
      m = gpr_mx_sorted (m);
    }
  k->single_precision = gpr_is_floating (x->class) && gpr_is_floating (a.class)
                        && (x->class == GPR_CLASS_single || a.class == GPR_CLASS_single);
  m = gpr_mx_reals (c, m, k->single_precision ? GPR_CLASS_single : GPR_CLASS_double);
  k->edges = mxGetData (m);

  /* With NaN last nothing is counted; with fewer edges the other bins are.  */
  const bool last = k->single_precision ? isnan (((const float *) k->edges)[k->bins - 1]) : isnan (((const double *) k->edges)[k->bins - 1]);
  if (last && k->bins > 3)
    {
      double *none = mxMalloc (k->bins * sizeof *none);
      for (int64_t i = 0; i < k->bins; i++)
        none[i] = NAN;
      k->edges = none;
      k->single_precision = false;
    }
}

static int
take_dim (const gpr_call *c, const gpr_array *x)
{
  const mxArray *m = c->nrhs > 2 ? c->rhs[2] : NULL;
  int64_t dim;

  if (! m)
    return gpr_default_dim (x, true) + 1;
  if (! gpr_mx_count (mxIsSparse (m) ? gpr_mx_call ("full", 1, m, NULL) : m, &dim) || dim > x->ndims)
    gpr_mx_refuse (c, "DIM must be an integer and a valid dimension");
  return (int) dim;
}

void
gpr_mx_histc (gpr_call *c)
{
  gpr_binning b = { .want_places = c->nlhs > 1, .k.rule = GPR_BIN_EDGES };

  gpr_mx_take_device (c);
  if (c->nlhs > 2)
    gpr_mx_too_many_outputs (c);
  if (c->nrhs < 2)
    gpr_mx_usage (c);
  if (c->nrhs > 3)
    gpr_mx_too_many_inputs (c);
  gpr_mx_gather_from (c, 1);
  const mxArray *edges = c->rhs[1];
  if (! gpr_mx_is_real (c, c->rhs[0]))
    gpr_mx_refuse (c, "X argument must be real-valued, not complex");
  if (mxIsEmpty (edges))
    {
      gpr_mx_warn (c, "empty EDGES specified\n");
      for (int i = 0; i < c->nlhs || i == 0; i++)
        c->plhs[i] = mxCreateDoubleMatrix (0, 0, mxREAL);
      return;
    }
  if (! gpr_mx_is_real (c, edges) || (mxIsChar (edges) && mxGetNumberOfDimensions (edges) > 2))
    gpr_mx_refuse (c, "EDGES must be real-valued, not complex");

  b.m = gpr_mx_full (c, c->rhs[0], &b.x);
  take_edges (c, &b.x, &b.k);
  b.dim = take_dim (c, &b.x);
  if (c->divided)
    c->divided->stays |= 1 << 1;
  gpr_mx_run_binning (c, &b, &c->plhs[0], c->nlhs > 1 ? &c->plhs[1] : NULL);
}
