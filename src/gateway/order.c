/* Medians and modes: the built-ins' arguments, and the list of all modes.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "divided.h"
#include "request.h"
#include "../core/order.h"
#include "../core/select.h"

/* x is not empty.  */
static gpr_shape
shape_of (const gpr_request *q, const gpr_array *x)
{
  bool reduced[GPR_MAX_DIMS] = { false };

  for (int d = 0; d < x->ndims; d++)
    reduced[d] = q->which == GPR_DIM_ALL || (q->which == GPR_DIM_DEFAULT && d == gpr_default_dim (x, false));
  for (int i = 0; q->which == GPR_DIM_LIST && i < q->ndims; i++)
    if (q->dims[i] <= x->ndims)
      reduced[q->dims[i] - 1] = true;
  return gpr_shape_make (x, reduced, false);
}

/* The built-in, which takes one dimension: the reduced ones are made one, the first.  */
static void
ask_builtin_over (gpr_call *c, const gpr_array *x, const gpr_shape *s)
{
  const int64_t columns[2] = { s->length, s->inner * s->outer };
  gpr_call asked = *c;
  asked.rhs[0] = gpr_mx_reshaped (gpr_mx_permuted (s, gpr_mx_whole (c, c->rhs[0])), 2, columns);
  asked.rhs[1] = mxCreateDoubleScalar (1);
  asked.nrhs = 2;
  asked.divided = NULL;
  gpr_mx_ask_builtin (&asked);
  for (int i = 0; i < (c->nlhs > 1 ? c->nlhs : 1); i++)
    {
      c->plhs[i] = gpr_mx_reshaped (c->plhs[i], s->out.ndims, s->out.dims);
      if (c->divided)
        c->plhs[i] = gpr_mx_own_part (c, c->plhs[i]);
      if (x->home && ! c->divided && i < 2 && gpr_array_numel (&s->out) != 1)
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
  return want == GPR_WANT_GPU || want == GPR_WANT_NUMBER || want == GPR_WANT_ALL || want == GPR_WANT_SEVERAL;
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


/* A call on its way; sorted and counts are for the list of all modes.  */
typedef struct {
  gpr_array x, wanted;              /* wanted: x as it came, where the results belong */
  gpr_piece piece;                  /* of x, where it is divided and was permuted */
  gpr_shape shape;
  gpr_ordering o;
  gpr_output out[2];                /* value, and frequency if it is wanted */
  mxArray *sorted, *counts;
  void *counts_data;
} ordering;

/* Is the divided dimension none of those that are reduced?  */
static bool
stays_divided (const gpr_call *c, const ordering *w)
{
  const int64_t whole = c->divided ? c->divided->starts[c->divided->world.size] : 1;
  return whole > 1 && c->divided->dim < w->shape.out.ndims && w->shape.out.dims[c->divided->dim] == whole;
}

static void
permute (const gpr_call *c, ordering *w)
{
  const mxArray *permuted = mxIsEmpty (c->rhs[0]) ? c->rhs[0] : gpr_mx_permuted (&w->shape, c->rhs[0]);
  gpr_call plain = *c;

  if (gpr_is_divided (&w->x))
    {
      w->piece = (gpr_piece) { .data = mxGetData (permuted), .starts = c->divided->starts, .outer = w->shape.outer };
      w->x.data = &w->piece;
      return;
    }
  plain.divided = NULL;
  gpr_mx_array (&plain, permuted, &w->x);
  w->x.home = NULL;
}

/* False: the built-in has answered.  */
static bool
validate (gpr_call *c, const gpr_request *q, ordering *w)
{
  const bool mode = q->op == GPR_OP_MODE, several = gpr_several_dims (q), flag = q->nan != GPR_NAN_DEFAULT;
  gpr_array *x = &w->x;

  if (mxIsSparse (c->rhs[0]) && (mxIsNumeric (c->rhs[0]) || mxIsLogical (c->rhs[0])) && (several || flag))
    c->rhs[0] = gpr_mx_call ("full", 1, c->rhs[0], NULL);
  if (! gpr_mx_array (c, c->rhs[0], x) || x->class == GPR_CLASS_char)
    {
      c->nrhs = several || flag ? 1 : c->nrhs;
      gpr_mx_ask_builtin (c);
      return false;
    }
  if (gpr_array_numel (x) == 0 && (several || (! mode && flag)))
    gpr_mx_refuse (c, "X cannot be an empty matrix");
  /* Of a dimension that is not there the built-in's mode has its own answer.  */
  const bool beyond = mode && q->which == GPR_DIM_LIST && q->dims[0] > x->ndims;
  if (gpr_array_numel (x) == 0 || (beyond && ! several) || (x->complex && ! several && ! flag))
    {
      gpr_mx_ask_builtin (c);
      return false;
    }
  if (x->complex && q->nan == GPR_NAN_OMIT)
    gpr_mx_invalid (c, "\"omitnan\" goes with real X only");
  const gpr_array whole = *x;
  w->shape = shape_of (q, x);
  if (x->complex)
    {
      ask_builtin_over (c, x, &w->shape);
      return false;
    }
  if (stays_divided (c, w) && gpr_mx_takes_piece (c, c->rhs[0], x, 0))
    {
      gpr_request own = *q;
      own.which = GPR_DIM_LIST;
      if (q->which == GPR_DIM_DEFAULT)
        {
          own.ndims = 1;
          own.dims[0] = gpr_default_dim (&whole, false) + 1;
        }
      w->shape = shape_of (&own, x);
    }
  w->wanted = *x;
  if (w->shape.scattered)
    permute (c, w);
  return true;
}

/* there: what stays on the device is made there.  */
static void
create (const gpr_call *c, ordering *w, bool there)
{
  const gpr_shape *s = &w->shape;
  const bool stays = w->wanted.home && ! gpr_is_divided (&w->wanted) && s->inner * s->outer != 1;
  gpr_array value = s->out, frequency = s->out;

  value.class = w->x.class;
  frequency.class = GPR_CLASS_double;
  gpr_mx_output (&w->out[0], &value, stays, there);
  if (c->nlhs > 1)
    gpr_mx_output (&w->out[1], &frequency, stays, there);
}

static void
create_sorted (ordering *w)
{
  const gpr_shape *s = &w->shape;
  gpr_array sorted = { .class = w->x.class, .ndims = 2, .dims = { s->length, s->inner * s->outer } };
  gpr_array counts = { .class = GPR_CLASS_int64, .ndims = 2, .dims = { 1, s->inner * s->outer } };

  w->sorted = gpr_mx_create (&sorted, &w->o.sorted);
  w->counts = gpr_mx_create (&counts, &w->counts_data);
}

static gpr_status
compute (const gpr_choice *choice, ordering *w)
{
  const gpr_status status = gpr_outputs_allocate (w->out, 2, choice);
  w->o.value = w->out[0].data;
  w->o.frequency = w->out[1].data;
  w->o.out_resident = w->out[0].resident;
  return status == GPR_OK && w->o.inner * w->o.outer > 0 ? run_on (choice, &w->x, &w->o) : status;
}

static gpr_choice
on_the_cpu (void)
{
  return (gpr_choice) { .backend = &gpr_cpu_backend, .reason = "a column does not fit on the GPU" };
}

static void
run_mode (gpr_call *c, ordering *w, const gpr_choice *choice, double start)
{
  gpr_choice noted = *choice;
  const int64_t most = 1 << 24;         /* a rank gets whole columns */

  if (c->nlhs > 2 && gpr_is_divided (&w->x))
    gpr_mx_not_yet (c, "the list of all modes over the divided dimension does");
  if (gpr_is_divided (&w->x) && w->shape.length > most)
    gpr_mx_raise (c, gpr_fail (GPR_UNSUPPORTED, "modes of more than %lld elements over the divided dimension do not take \"comm\" yet", (long long) most));
  w->o = (gpr_ordering) { .elem = gpr_array_elem (&w->x), .inner = w->shape.inner, .length = w->shape.length, .outer = w->shape.outer };
  create (c, w, c->nlhs < 3);
  if (c->nlhs > 2)
    create_sorted (w);

  /* ------------------------------------------------------------------------ */
  gpr_status status = compute (choice, w);
  if (status == GPR_OUT_OF_MEMORY && choice->backend->on_device && ! wants_gpu (c))
    {
      noted = on_the_cpu ();
      gpr_outputs_finish (w->out, 2, choice, status);
      create (c, w, false);
      status = compute (&noted, w);
    }
  if (status == GPR_OK && w->sorted)
    gpr_order_modes (&w->o, w->counts_data);
  status = gpr_outputs_finish (w->out, 2, choice, status);
  gpr_note_call (c, &noted, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  for (int i = 0; i < 2 && (i == 0 || c->nlhs > 1); i++)
    gpr_mx_deliver (c, &c->plhs[i], choice, &w->out[i]);
  if (w->sorted)
    {
      c->plhs[2] = cell_of_modes (&w->shape.out, w->x.class, &w->o, w->counts_data);
      mxDestroyArray (w->sorted);
      mxDestroyArray (w->counts);
    }
}

static void
run_median (gpr_call *c, const gpr_request *q, ordering *w, const gpr_choice *choice, double start)
{
  const gpr_shape *s = &w->shape;
  gpr_array y = s->out;
  gpr_output out = { 0 };
  gpr_choice noted = *choice;
  gpr_selection p = { .elem = gpr_array_elem (&w->x), .inner = s->inner, .length = s->length, .outer = s->outer, .results = 1,
                      .omit_nan = q->nan == GPR_NAN_OMIT, .logical = w->x.class == GPR_CLASS_logical,
                      .round_up = gpr_class_is_integer (w->x.class) && gpr_rule_holds (GPR_RULE_median_rounds_up) };

  y.class = w->x.class;
  gpr_mx_output (&out, &y, w->wanted.home && ! gpr_is_divided (&w->wanted) && s->inner * s->outer != 1, true);

  /* ------------------------------------------------------------------------ */
  gpr_status status = gpr_outputs_allocate (&out, 1, choice);
  p.value = out.data;
  p.out_resident = out.resident;
  if (status == GPR_OK && p.inner * p.outer > 0)
    status = gpr_select_on (choice, &w->x, &p);
  if (status == GPR_OUT_OF_MEMORY && choice->backend->on_device && ! out.resident && ! wants_gpu (c))
    {
      noted = on_the_cpu ();
      status = gpr_select_on (&noted, &w->x, &p);
    }
  status = gpr_outputs_finish (&out, 1, choice, status);
  gpr_note_call (c, &noted, start, NULL);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  gpr_mx_deliver (c, &c->plhs[0], choice, &out);
}

void
gpr_run_order (gpr_call *c, gpr_request *q)
{
  const double start = gpr_now_ms ();
  const bool mode = q->op == GPR_OP_MODE;
  ordering w = { 0 };

  if (! validate (c, q, &w))
    return;
  const gpr_choice choice = gpr_mx_choose (c, &w.wanted, NULL, mode ? GPR_WORK_MODE : GPR_WORK_MEDIAN, w.shape.inner);
  if (mode)
    run_mode (c, &w, &choice, start);
  else
    run_median (c, q, &w, &choice, start);
}
