/* "order": gpu_median and gpu_mode.  The built-ins' arguments, and the list of all modes.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "mx.h"
#include "../core/order.h"

typedef struct {
  gpr_order_op op;
  bool all, listed;                 /* "all"; DIM given */
  bool reduced[GPR_MAX_DIMS];       /* of DIM; beyond the array's dimensions: none */
  bool several;                     /* more than the built-in can */
  bool omit_nan, nan_flag;
} request;

/* ---- arguments -------------------------------------------------------------------- */

/* DIM: false where the built-in shall refuse it, as it does a matrix.  */
static bool
take_dims (const gpr_call *c, const mxArray *m, request *q)
{
  int64_t dims[GPR_MAX_DIMS];
  int ndims;

  if (mxGetNumberOfElements (m) > 1 && (mxGetNumberOfDimensions (m) > 2 || (mxGetM (m) != 1 && mxGetN (m) != 1)))
    return false;
  if (! gpr_mx_dims (c, m, true, &ndims, dims))
    return false;
  for (int i = 0; i < ndims; i++)
    if (dims[i] <= GPR_MAX_DIMS)
      q->reduced[dims[i] - 1] = true;
  q->listed = true;
  q->several = ndims > 1;
  return true;
}

static bool
take_arguments (const gpr_call *c, request *q)
{
  const mxArray *dim = NULL;

  if (c->nrhs < 1 || c->nlhs > (q->op == GPR_ORDER_MODE ? 3 : 1))
    return false;
  for (int i = 1; i < c->nrhs; i++)
    {
      const mxArray *m = c->rhs[i];
      if (q->op == GPR_ORDER_MEDIAN && ! q->nan_flag && gpr_mx_option (m, "omitnan"))
        q->nan_flag = q->omit_nan = true;
      else if (q->op == GPR_ORDER_MEDIAN && ! q->nan_flag && gpr_mx_option (m, "includenan"))
        q->nan_flag = true;
      else if (! q->all && ! dim && gpr_mx_option (m, "all"))
        q->all = q->several = true;
      else if (! q->all && ! dim)
        dim = m;
      else
        return false;
    }
  return ! dim || take_dims (c, dim, q);
}

/* ---- shapes ----------------------------------------------------------------------- */

/* x is not empty.  */
static gpr_shape
make_shape (const request *q, const gpr_array *x)
{
  bool reduced[GPR_MAX_DIMS];
  int first = 0;

  while (first < x->ndims && x->dims[first] == 1)
    first++;
  for (int d = 0; d < x->ndims; d++)
    reduced[d] = q->all || (q->listed ? q->reduced[d] : d == (first < x->ndims ? first : 0));
  return gpr_shape_make (x, reduced, false);
}

/* The built-in, which takes one dimension: the reduced ones are made one, the first.  */
static void
ask_builtin_over (gpr_call *c, const gpr_array *x, const gpr_shape *s)
{
  const int64_t columns[2] = { s->length, s->inner * s->outer };
  c->rhs[0] = gpr_mx_reshaped (gpr_mx_permuted (s, c->rhs[0]), 2, columns);
  c->rhs[1] = mxCreateDoubleScalar (1);
  c->nrhs = 2;
  gpr_mx_ask_builtin (c);
  for (int i = 0; i < (c->nlhs > 1 ? c->nlhs : 1); i++)
    {
      c->plhs[i] = gpr_mx_reshaped (c->plhs[i], s->out.ndims, s->out.dims);
      if (x->home && i < 2 && gpr_array_numel (&s->out) != 1)
        {
          mxArray *in[1] = { c->plhs[i] };
          mexCallMATLAB (1, &c->plhs[i], 1, in, "gpuArray");
        }
    }
}

/* ---- the call ----------------------------------------------------------------------- */

/* As gpr_choose has it: without a wish for the GPU the CPU does what does not fit there.  */
static bool
wants_gpu (const gpr_call *c)
{
  gpr_want want = c->device.want == GPR_WANT_DEFAULT ? gpr_device_setting.want : c->device.want;
  return want == GPR_WANT_GPU || want == GPR_WANT_NUMBER;
}

static gpr_status
run_on (const gpr_choice *choice, const gpr_array *x, gpr_ordering *o)
{
  void *copy = NULL;
  gpr_status status = gpr_reach (x, choice, &o->x, &o->x_resident, &copy);
  if (status == GPR_OK)
    status = choice->backend->order (o);
  free (copy);
  return status;
}

/* A cell of the modes of each column, which begin its share of the sorted elements.  */
static mxArray *
cell_of_modes (const gpr_array *out, gpr_class class, const gpr_ordering *o, const int64_t *counts)
{
  mwSize dims[GPR_MAX_DIMS];
  const size_t bytes = gpr_elem_bytes[o->elem];
  for (int d = 0; d < out->ndims; d++)
    dims[d] = out->dims[d];
  mxArray *cell = mxCreateCellArray (out->ndims, dims);
  for (int64_t j = 0; j < o->inner * o->outer; j++)
    {
      gpr_array modes = { .class = class, .ndims = 2, .dims = { counts[j], 1 } };
      void *data;
      mxArray *m = gpr_mx_create (&modes, &data);
      memcpy (data, (const char *) o->sorted + j * o->length * bytes, counts[j] * bytes);
      mxSetCell (cell, j, m);
    }
  return cell;
}

static void
order (gpr_call *c, const request *q)
{
  double start = gpr_now_ms ();
  const bool mode = q->op == GPR_ORDER_MODE;
  const mxArray *source = c->rhs[0];
  gpr_array x;

  if (mxIsSparse (source) && (mxIsNumeric (source) || mxIsLogical (source)) && (q->several || q->nan_flag))
    {
      mxArray *full[1], *in[1] = { (mxArray *) source };
      mexCallMATLAB (1, full, 1, in, "full");
      source = c->rhs[0] = full[0];
    }
  if (! gpr_mx_array (c, source, &x) || x.class == GPR_CLASS_char)
    {
      c->nrhs = q->several || q->nan_flag ? 1 : c->nrhs;
      gpr_mx_ask_builtin (c);
      return;
    }
  if (gpr_array_numel (&x) == 0 && (mode ? q->several : q->several || q->nan_flag))
    gpr_mx_refuse (c, "X cannot be an empty matrix");
  bool beyond = mode && q->listed;      /* its own answer over a dimension that is not there */
  for (int d = 0; d < x.ndims; d++)
    beyond &= ! q->reduced[d];
  if (gpr_array_numel (&x) == 0 || (beyond && ! q->several) || (x.complex && ! q->several && ! q->nan_flag))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  if (x.complex && q->omit_nan)
    gpr_mx_invalid (c, "\"omitnan\" goes with real X only");

  const gpr_shape s = make_shape (q, &x);
  if (x.complex)
    {
      ask_builtin_over (c, &x, &s);
      return;
    }
  const gpr_array wanted = x;           /* where the result belongs */
  if (s.scattered)
    {
      gpr_mx_array (c, gpr_mx_permuted (&s, source), &x);
      x.home = NULL;
    }
  const gpr_choice choice = gpr_mx_choose (c, &wanted, NULL);
  gpr_choice noted = choice;

  gpr_ordering o = { .op = q->op, .elem = gpr_array_elem (&x), .inner = s.inner, .length = s.length, .outer = s.outer,
                     .omit_nan = q->omit_nan, .logical = x.class == GPR_CLASS_logical };
  const int64_t outputs = s.inner * s.outer;
  const bool keep = wanted.home != NULL && outputs != 1, list = mode && c->nlhs > 2;
  gpr_array value_array = s.out, frequency_array = s.out;
  gpr_array sorted_array = { .class = x.class, .ndims = 2, .dims = { s.length, outputs } };
  gpr_array counts_array = { .class = GPR_CLASS_int64, .ndims = 2, .dims = { 1, outputs } };
  mxArray *value, *frequency = NULL, *sorted = NULL, *counts = NULL;
  void *counts_data = NULL;
  value_array.class = x.class;
  frequency_array.class = GPR_CLASS_double;
  value = gpr_mx_create (&value_array, &o.value);
  if (mode)
    frequency = gpr_mx_create (&frequency_array, (void **) &o.frequency);
  if (list)
    {
      sorted = gpr_mx_create (&sorted_array, &o.sorted);
      counts = gpr_mx_create (&counts_array, &counts_data);
    }

  /* ------------------------------------------------------------------------ */
  gpr_status status = run_on (&choice, &x, &o);
  if (status == GPR_OUT_OF_MEMORY && choice.backend != &gpr_cpu_backend && ! wants_gpu (c))
    {
      noted = (gpr_choice) { .backend = &gpr_cpu_backend, .reason = "a column does not fit on the GPU" };
      status = run_on (&noted, &x, &o);
    }
  if (status == GPR_OK && list)
    gpr_order_modes (&o, counts_data);
  gpr_note_call (c, &noted, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  c->plhs[0] = keep ? gpr_mx_keep (c, &choice, &value_array, value) : value;
  if (list)
    {
      c->plhs[2] = cell_of_modes (&s.out, x.class, &o, counts_data);
      mxDestroyArray (sorted);
      mxDestroyArray (counts);
    }
  if (mode && c->nlhs > 1)
    c->plhs[1] = keep ? gpr_mx_keep (c, &choice, &frequency_array, frequency) : frequency;
  else if (mode)
    mxDestroyArray (frequency);
}

void
gpr_mx_order (gpr_call *c)
{
  request q = { 0 };
  char name[16];

  if (c->nrhs < 1 || ! gpr_mx_text (c->rhs[0], name, sizeof name) || (strcmp (name, "median") != 0 && strcmp (name, "mode") != 0))
    gpr_mx_invalid (c, "order takes \"median\" or \"mode\" first");
  q.op = strcmp (name, "mode") == 0 ? GPR_ORDER_MODE : GPR_ORDER_MEDIAN;
  c->builtin = q.op == GPR_ORDER_MODE ? "mode" : "median";
  snprintf (c->caller, sizeof c->caller, "gpu_%s", name);
  memmove (c->rhs, c->rhs + 1, --c->nrhs * sizeof *c->rhs);
  gpr_mx_take_device (c);
  for (int i = 1; i < c->nrhs; i++)
    if (gpr_mx_is_gpuarray (c->rhs[i]))
      {
        mxArray *out[1], *in[1] = { (mxArray *) c->rhs[i] };
        mexCallMATLAB (1, out, 1, in, "gather");
        c->rhs[i] = out[0];
      }
  if (take_arguments (c, &q))
    order (c, &q);
  else
    gpr_mx_ask_builtin (c);
}
