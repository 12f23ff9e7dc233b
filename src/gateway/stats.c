/* "summary": gpu_stats, a structure of what one reduction finds.  */

#include <string.h>

#include "divided.h"
#include "fields.h"
#include "request.h"

/* As the reduction gives them for each output.  */
enum { COUNT, SUM, MEAN, VARIANCE, LEAST, LEAST_AT, MOST, MOST_AT, NANS, NUMBERS };

static const struct { const char *name; int number; bool value; } fields[NUMBERS] = {
  { "count", COUNT, false }, { "sum", SUM, true }, { "mean", MEAN, true }, { "var", VARIANCE, true }, { "min", LEAST, true },
  { "max", MOST, true }, { "argmin", LEAST_AT, false }, { "argmax", MOST_AT, false }, { "nans", NANS, false } };

static bool
is_0x0 (const gpr_array *x)
{
  return x->ndims == 2 && x->dims[0] == 0 && x->dims[1] == 0;
}

/* DIM as a list; m NULL: the first that is not 1, or both of 0x0, as sum ([]) has it.  */
static void
take_dims (const gpr_call *c, const mxArray *m, const gpr_array *x, gpr_request *q)
{
  int64_t repeated;

  if (m && ! mxIsNumeric (m) && ! mxIsLogical (m) && ! mxIsChar (m) && ! mxIsCell (m))
    gpr_mx_invalid (c, "DIM must be a dimension, a vector of different dimensions or \"all\"");
  if ((m && gpr_mx_option (m, "all")) || ((! m || mxIsEmpty (m)) && is_0x0 (x)))
    for (q->ndims = 0; q->ndims < x->ndims; q->ndims++)
      q->dims[q->ndims] = q->ndims + 1;
  else if (! m || mxIsEmpty (m))
    {
      q->ndims = 1;
      q->dims[0] = gpr_default_dim (x, false) + 1;
    }
  else
    {
      if (mxIsNumeric (m) && mxIsSparse (m))
        m = gpr_mx_call ("full", 1, m, NULL);
      if (mxIsNumeric (m) && ! mxIsDouble (m))
        m = gpr_mx_call ("double", 1, m, NULL);
      if (gpr_mx_read_dims (m, &q->ndims, q->dims, &repeated) != GPR_DIMS_OK)
        gpr_mx_invalid (c, "DIM must be a dimension, a vector of different dimensions or \"all\"");
    }
}

/* X as floats, full.  */
static const mxArray *
take_x (const gpr_call *c, gpr_array *x, gpr_class *class)
{
  const mxArray *m = c->rhs[0];

  if (mxIsSparse (m))
    m = gpr_mx_call ("full", 1, m, NULL);
  if (! gpr_mx_array (c, m, x) || x->complex || x->class == GPR_CLASS_char)
    gpr_mx_invalid (c, "X must be a real numeric or logical array");
  *class = x->class == GPR_CLASS_single ? GPR_CLASS_single : GPR_CLASS_double;
  return x->class <= GPR_CLASS_single ? m : gpr_mx_divided_alike (c, m, gpr_mx_call ("double", 1, m, NULL));
}

/* The structure, from NUMBERS numbers for each output.  */
static mxArray *
packed (const gpr_array *sizes, gpr_class class, const double *from, bool resident)
{
  gpr_array out = *sizes;
  const int64_t outputs = gpr_array_numel (&out);
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);

  for (int k = 0; k < NUMBERS; k++)
    {
      void *to;
      out.class = fields[k].value ? class : GPR_CLASS_double;
      mxArray *v = gpr_mx_create (&out, &to);
      for (int64_t i = 0; i < outputs; i++)
        if (out.class == GPR_CLASS_double)
          ((double *) to)[i] = from[NUMBERS * i + fields[k].number];
        else
          ((float *) to)[i] = (float) from[NUMBERS * i + fields[k].number];
      set (s, fields[k].name, resident && outputs != 1 ? gpr_mx_call ("gpuArray", 1, v, NULL) : v);
    }
  return s;
}

void
gpr_mx_summary (gpr_call *c)
{
  gpr_request q = { .op = GPR_OP_STATS };
  gpr_array x;
  gpr_class class;
  mxArray *numbers;

  gpr_mx_take_device (c);
  if (c->nrhs < 1 || c->nrhs > 2)
    gpr_mx_usage (c);
  gpr_mx_gather_from (c, 1);
  gpr_call sub = *c;
  sub.nlhs = 1;
  sub.plhs = &numbers;
  sub.nrhs = 2;
  sub.rhs[0] = take_x (c, &x, &class);
  take_dims (c, c->nrhs > 1 ? c->rhs[1] : NULL, &x, &q);
  sub.rhs[1] = mxCreateDoubleMatrix (1, q.ndims, mxREAL);
  gpr_array out = { .ndims = x.ndims };
  memcpy (out.dims, x.dims, sizeof out.dims);
  for (int i = 0; i < q.ndims; i++)
    {
      ((double *) mxGetData (sub.rhs[1]))[i] = (double) q.dims[i];
      if (q.dims[i] <= out.ndims)
        out.dims[q.dims[i] - 1] = 1;
    }
  gpr_run_operator (&sub, GPR_OP_STATS);
  if (c->divided && c->divided->stays)
    gpr_mx_part_sizes (c, &out);
  gpr_array_trim (&out);
  if (is_0x0 (&x) && mxGetN (numbers) == 1)     /* before Octave 11 also of one dimension */
    out = (gpr_array) { .ndims = 2, .dims = { 1, 1 } };
  c->plhs[0] = packed (&out, class, mxGetData (numbers), x.home && ! gpr_is_divided (&x));
}
