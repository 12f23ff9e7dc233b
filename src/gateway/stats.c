/* "summary": gpu_stats, a structure of what one reduction finds.  */

#include <string.h>

#include "../core/map.h"
#include "../resident/resident.h"
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

/* ---- fields ------------------------------------------------------------------------------ */

static mxArray *
field_of (const gpr_array *out, int number, const double *from)
{
  const int64_t outputs = gpr_array_numel (out);
  void *to;
  mxArray *v = gpr_mx_create (out, &to);

  for (int64_t i = 0; i < outputs; i++)
    if (out->class == GPR_CLASS_double)
      ((double *) to)[i] = from[NUMBERS * i + number];
    else
      ((float *) to)[i] = (float) from[NUMBERS * i + number];
  return v;
}

/* A field of numbers that lie on a device, there.  */
static gpr_status
field_there (gpr_array *out, int number, const gpr_array *numbers, double *id)
{
  gpr_map_step step[2];
  gpr_mapping m = { .rank = 1, .dims = { gpr_array_numel (out) }, .leaves = 1, .x = { (const double *) numbers->data + number }, .classes = { GPR_CLASS_double },
                    .strides = { { NUMBERS } }, .step = step, .class = out->class };
  gpr_status status = gpr_resident_allocate (out, numbers);

  if (status != GPR_OK)
    return status;
  m.z = (void *) (uintptr_t) out->data;
  GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (0));
  if (out->class == GPR_CLASS_single)
    GPR_ADD_STEP (.op = GPR_MAP_to_single);
  status = numbers->home->map (&m);
  if (status == GPR_OK)
    status = gpr_resident_add (out, id);
  if (status != GPR_OK)
    numbers->home->release (m.z);
  return status;
}

/* The structure, from NUMBERS numbers for each output.  stay: its fields are gpuArrays.  */
static mxArray *
packed (const gpr_call *c, const gpr_array *sizes, gpr_class class, mxArray *numbers, bool stay)
{
  const gpr_resident *there = gpr_mx_is_gpuarray (numbers) ? gpr_mx_find (c, numbers) : NULL;
  mxArray *s = mxCreateStructMatrix (1, 1, 0, NULL);

  for (int k = 0; k < NUMBERS; k++)
    {
      gpr_array out = *sizes;
      double id = 0;
      out.class = fields[k].value ? class : GPR_CLASS_double;
      if (there)
        {
          gpr_raise_if (c, field_there (&out, fields[k].number, &there->array, &id));
          set (s, fields[k].name, gpr_mx_wrap (c, id));
          continue;
        }
      mxArray *v = field_of (&out, fields[k].number, mxGetData (numbers));
      set (s, fields[k].name, stay && gpr_array_numel (&out) != 1 ? gpr_mx_call ("gpuArray", 1, v, NULL) : v);
    }
  mxDestroyArray (numbers);
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
  c->plhs[0] = packed (c, &out, class, numbers, x.home && ! gpr_is_divided (&x));
}
