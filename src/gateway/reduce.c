/* One reduction: validate, plan, create, compute (reduce_compute.c), deliver.  */

#include <stdio.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "divided.h"
#include "../spread/spread.h"
#include "reduction.h"
#include "streamed.h"

/* ---- validate ---------------------------------------------------------------------- */

/* The built-in takes one dimension: the reduced ones are made one, the first.  */
static void
ask_builtin_over (gpr_running *w)
{
  gpr_call *c = w->c;
  const gpr_shape *s = &w->shape;
  const int64_t columns[2] = { s->length, s->inner * s->outer };

  c->rhs[0] = gpr_mx_reshaped (gpr_mx_permuted (s, gpr_mx_whole (c, w->q->x)), 2, columns);
  w->q->which = GPR_DIM_LIST;
  w->q->ndims = 1;
  w->q->dims[0] = 1;
  gpr_in_builtin_order (c, w->q);
  c->nlhs = 1;
  gpr_call asked = *c;
  asked.divided = NULL;
  gpr_mx_ask_builtin (&asked);
  c->plhs[0] = gpr_mx_reshaped (c->plhs[0], s->out.ndims, s->out.dims);
  if (c->divided)
    c->plhs[0] = gpr_mx_own_part (c, c->plhs[0]);
  if (w->x.home && ! gpr_is_divided (&w->x) && gpr_array_numel (&s->out) != 1)
    c->plhs[0] = gpr_mx_call ("gpuArray", 1, c->plhs[0], NULL);
}

/* Over all, the elements pair as they lie: a row goes with a column.  */
static bool
paired (const gpr_running *w)
{
  if (w->q->which == GPR_DIM_ALL)
    return gpr_array_numel (&w->x) == gpr_array_numel (&w->y);
  return gpr_array_same_sizes (&w->x, &w->y);
}

/* The operands; false: the built-in has answered.  Sparse goes there; with options of
   ours, or where there is no built-in, it is made full.  */
static bool
validate (gpr_running *w)
{
  gpr_call *c = w->c;
  gpr_request *q = w->q;

  w->several = gpr_several_dims (q);
  if (! gpr_mx_look (c, q->x, &w->x, &w->waits))
    {
      const bool ours = w->several || q->nan != GPR_NAN_DEFAULT || q->variant.name || q->exact || ! w->o->builtin;
      if (ours && mxGetNumberOfDimensions (q->x) > GPR_MAX_DIMS)
        gpr_mx_invalid (c, "X has more than %d dimensions", GPR_MAX_DIMS);
      if (! (mxIsSparse (q->x) && ours))
        {
          gpr_mx_ask_builtin (c);
          return false;
        }
      q->x = gpr_mx_call ("full", 1, q->x, NULL);
      gpr_mx_array (c, q->x, &w->x);
    }
  const bool floating = w->x.class == GPR_CLASS_double || w->x.class == GPR_CLASS_single;
  if (q->exact && (q->outtype == GPR_OUT_EXTRA || (q->outtype == GPR_OUT_NATIVE && ! floating)))
    gpr_mx_invalid (c, "\"exact\" goes neither with \"extra\" nor with \"native\" of integers");
  q->exact &= floating;
  const bool other_mean = q->op == GPR_OP_GEOMETRIC_MEAN || q->op == GPR_OP_HARMONIC_MEAN;
  if (other_mean && (gpr_class_is_integer (w->x.class) || w->x.class == GPR_CLASS_logical) && ! gpr_rule_holds (GPR_RULE_mean_kinds))
    {
      q->x = gpr_mx_doubled (c, q->x);  /* no built-in has these means any more */
      gpr_mx_array (c, q->x, &w->x);
    }
  if (q->y && (! gpr_mx_array (c, q->y, &w->y) || w->y.class != w->x.class || w->y.complex != w->x.complex || ! paired (w)))
    gpr_mx_invalid (c, "X and Y must be full arrays of one class and size");
  /* The mean as a whole number of 64 bits is not one of doubles, rounded.  */
  if (q->op == GPR_OP_MEAN && q->outtype == GPR_OUT_NATIVE && (w->x.class == GPR_CLASS_int64 || w->x.class == GPR_CLASS_uint64)
      && ! w->several && gpr_rule_holds (GPR_RULE_mean_options))
    {
      gpr_mx_ask_builtin (c);
      return false;
    }
  if (q->nan == GPR_NAN_OMIT && other_mean)
    gpr_mx_invalid (c, "\"omitnan\" goes with the arithmetic mean only");
  return true;
}

/* ---- plan -------------------------------------------------------------------------- */

static gpr_shape
shape_of (const gpr_request *q, const gpr_array *x)
{
  bool reduced[GPR_MAX_DIMS] = { false };
  const gpr_operator *o = &gpr_operators[q->op];
  const bool stays = o->empty == GPR_EMPTY_STAYS;
  gpr_array a = *x;

  if (! stays && a.ndims == 2 && a.dims[0] == 0 && a.dims[1] == 0
      && (q->which != GPR_DIM_LIST || ! gpr_rule_holds (GPR_RULE_sum_options)))
    a.dims[1] = 1;              /* the built-ins take 0x0 for 0x1: sum ([]) is 0; until 10 also sum ([], 1) */
  if (q->which == GPR_DIM_ALL)
    memset (reduced, true, a.ndims * sizeof *reduced);
  else if (q->which == GPR_DIM_DEFAULT)
    reduced[gpr_default_dim (o->long_dim ? x : &a, o->long_dim)] = true;
  else
    for (int i = 0; i < q->ndims; i++)
      if (q->dims[i] <= a.ndims)
        reduced[q->dims[i] - 1] = true;

  gpr_shape s = gpr_shape_make (&a, reduced, stays);
  if (q->which == GPR_DIM_ALL && stays && s.length == 0)
    s.out = (gpr_array) { .ndims = 2 };
  return s;
}

/* A file, or what a function brings: ranks reduce it together, or, along another dimension than the last, each its share.  */
static void
share (gpr_running *w)
{
  gpr_streamed *s = w->c->streamed;
  gpr_request *q = w->q;
  const int64_t size = s->world.size, n = w->x.dims[s->dim], from = n * s->world.rank / size;

  if (w->shape.scattered)
    gpr_mx_raise (w->c, gpr_fail (GPR_UNSUPPORTED, "dimensions of a file, or of what a function brings, that do not lie side by side are not reduced together: "
                                  "reduce the last of them, and then the result, which is in memory, over the others (help gpu_reduce)"));
  s->stream.first = 0;
  s->stream.divided = size > 1 && gpr_reduces (w, s->dim);
  s->shares = size > 1 && ! s->stream.divided;
  if (! s->shares)
    return;
  if (q->which == GPR_DIM_DEFAULT)
    {
      q->which = GPR_DIM_LIST;
      q->ndims = 1;
      q->dims[0] = gpr_default_dim (&w->x, w->o->long_dim) + 1;
    }
  w->index_from = s->stream.first = gpr_array_numel (&w->x) / n * from;
  w->whole_outer = w->shape.outer;
  w->x.dims[s->dim] = n * (s->world.rank + 1) / size - from;
  gpr_array_trim (&w->x);
  w->wanted = w->x;
  w->shape = shape_of (q, &w->x);
}

static void
choose (gpr_running *w)
{
  const gpr_request *q = w->q;
  const gpr_shape *s = &w->shape;
  gpr_reduction to_come = { .instance = w->plan.instance, .inner = s->inner, .length = s->length, .outer = s->outer,
                            .x = w->x.data, .y = q->y ? w->y.data : NULL, .exact = q->exact };

  w->choice = q->variant.name ? gpr_mx_choose_for_variant (w->c, &w->wanted, &w->q->variant.simulated)
              : gpr_mx_choose_reduction (w->c, &w->wanted, q->y ? &w->y : NULL, &to_come);
  w->place = w->noted = w->choice;
  if (s->length == 0 || (q->variant.name && s->inner > 1))      /* a variant's columns are gathered on the host */
    w->place = (gpr_choice) { .backend = &gpr_cpu_backend };
  if (q->variant.name)
    {
      w->q->variant.instance = w->plan.instance;
      w->q->variant.real = w->place.backend;
      w->noted.backend = w->place.backend = gpr_variant_backend (&w->q->variant);
    }
}

/* Shape and instance; false: there is none of X's elements.  */
static bool
plan_values (gpr_running *w)
{
  const gpr_request *q = w->q;
  const bool extreme = gpr_has_index (w->o);

  w->bounds = w->o->engine == GPR_ENGINE_MAX_AND_MIN;
  w->shape = shape_of (q, &w->x);
  w->want_index = w->o->index_first || (extreme && w->c->nlhs > 1);
  const gpr_question question = { .op = q->op, .class = w->x.class, .complex = w->x.complex, .outtype = q->outtype,
                                  .omit_nan = q->nan == GPR_NAN_OMIT && ! extreme && ! w->bounds, .want_index = w->want_index,
                                  .wide = q->op == GPR_OP_MEAN && w->x.class == GPR_CLASS_single && gpr_rule_holds (GPR_RULE_mean_wide),
                                  .n = w->shape.length };
  return gpr_plan_make (&question, &w->plan);
}

/* What is done besides the reduction.  */
static void
plan_finish (gpr_running *w)
{
  const gpr_request *q = w->q;
  const gpr_operator *o = w->o;
  const bool extreme = gpr_has_index (o);

  w->tree = gpr_tree_make (gpr_instances[w->plan.instance].acc_bytes, w->shape.inner, w->shape.length, w->whole_outer ? w->whole_outer : w->shape.outer);
  w->finish = (gpr_finishing) { .finish = o->finish, .class = w->plan.raw_class, .complex = w->plan.complex,
                                .outputs = gpr_array_numel (&w->shape.out), .length = w->shape.length };
  w->omit_count = (o->divisor == GPR_DIVISOR_LENGTH || o->divisor == GPR_DIVISOR_ROOT_MEAN) && q->nan == GPR_NAN_OMIT && ! extreme && ! w->bounds
                  && gpr_nancount_instance (gpr_array_elem (&w->x)) != GPR_INSTANCE_NONE;
  if (w->bounds || (o->divisor == GPR_DIVISOR_ROOT_MEAN && ! w->omit_count))
    w->finish.finish = GPR_FINISH_NONE;         /* the engine does it */
  w->nan_first = extreme && q->nan == GPR_NAN_INCLUDE && gpr_nanindex_instance (gpr_array_elem (&w->x)) != GPR_INSTANCE_NONE;
  w->check_negative = q->op == GPR_OP_GEOMETRIC_MEAN && ! w->x.complex && (gpr_array_numel (&w->x) > 0 || w->whole_outer);
  w->check_overflow = q->op == GPR_OP_MEAN && w->x.class == GPR_CLASS_double && ! q->variant.name && gpr_rule_holds (GPR_RULE_mean_scales);
  w->check_infinite = q->outtype == GPR_OUT_EXTRA && w->x.class == GPR_CLASS_double && gpr_rule_holds (GPR_RULE_extra_infinite);
  w->separate = w->plan.raw_class != w->plan.out_class;
}

/* Instance, shape, place and steps; false: the built-in has answered.  */
static bool
plan (gpr_running *w)
{
  gpr_call *c = w->c;
  gpr_request *q = w->q;
  const gpr_operator *o = w->o;

  if (! plan_values (w))
    {
      if (c->streamed)
        gpr_mx_ask_builtin (c);         /* an error */
      if (! o->builtin)
        gpr_mx_invalid (c, o->operands == GPR_OPERANDS_FLOATS ? "X must be a full array of class double or single"
                                                           : "X must be a numeric or logical array");
      if (w->several)
        ask_builtin_over (w);
      else
        gpr_mx_ask_builtin (c);
      return false;
    }
  w->wanted = w->x;
  if (c->divided)
    gpr_divide_reduction (w);
  if (c->streamed)
    share (w);
  if (q->y && (w->shape.scattered || ! (gpr_instances[w->plan.instance].traits & GPR_PRODUCTS)))
    gpr_mx_invalid (c, "products are summed along one dimension of double or single arrays, or along all");
  if (w->shape.scattered)
    {
      const mxArray *permuted = mxIsEmpty (q->x) ? q->x : gpr_mx_permuted (&w->shape, q->x);
      gpr_call plain = *c;
      gpr_array a;
      plain.divided = NULL;
      gpr_mx_array (&plain, permuted, &a);
      if (w->x.complex && ! a.complex)  /* Octave has made it real */
        permuted = gpr_mx_converted (&plain, permuted, a.class, true, &a);
      a.home = NULL;            /* permuted on the host */
      if (gpr_is_divided (&w->x))
        {
          const gpr_piece *piece = w->x.data;
          w->permuted = (gpr_piece) { .data = a.data, .starts = piece->starts, .outer = w->shape.outer };
          w->x.data = &w->permuted;
        }
      else
        w->x = a;
      q->x = permuted;
      w->waits = NULL;
    }
  choose (w);
  plan_finish (w);
  return true;
}

/* ---- create ------------------------------------------------------------------------ */

/* Outputs are written in place where they are the reduction's values, or what elementwise steps make of these, and stay on the device where a gpuArray came in and
   an array goes out.  The value's class and sizes.  */
static gpr_array
plan_outputs (gpr_running *w)
{
  const gpr_plan *p = &w->plan;
  const int64_t outputs = gpr_array_numel (&w->shape.out);
  const bool spread = gpr_is_spread (&w->wanted), some = w->shape.length > 0 && outputs > 0;
  const bool steps = w->separate || w->omit_count || w->nan_first || (w->want_index && w->several) || w->finish.finish != GPR_FINISH_NONE;
  const bool on_host = (steps && (spread || ! gpr_can_finish_there (w))) || (p->complex && spread) || (w->check_overflow && (steps || p->complex))
                       || w->check_infinite || w->q->variant.name;

  w->keep = (w->wanted.home || w->y.home) && ! gpr_is_divided (&w->wanted) && ! gpr_is_streamed (&w->wanted) && (outputs != 1 || w->keeps_one)
            && (p->numbers == 1 || (some && ! spread));
  const bool brought = spread && (w->bounds || w->check_overflow);
  w->in_place = w->keep && ! brought && ! on_host && some && (! w->bounds || w->place.backend->on_device);
  w->finish_there = w->in_place && steps;
  w->separate |= w->bounds && ! w->in_place;
  w->check_overflow &= ! w->in_place;
  gpr_array value = w->shape.out;
  if (p->numbers > 1)
    value = (gpr_array) { .ndims = 2, .dims = { p->numbers, outputs } };
  value.class = p->out_class;
  value.complex = p->complex;
  return value;
}

static void
create (gpr_running *w)
{
  const gpr_array value = plan_outputs (w);
  gpr_mx_output (&w->out[0], &value, w->keep, w->in_place);
  if (w->want_index)
    gpr_mx_output (&w->out[1], &w->shape.out, w->keep, w->in_place);
  else if (w->bounds && w->c->nlhs > 1)
    gpr_mx_output (&w->out[1], &value, w->keep, w->in_place);
}

/* ---- later ------------------------------------------------------------------------------- */

/* The result waits to be wanted: often what reads it also reads X, and both come from one reading.  *id <- 0: it is better computed at once.  */
static gpr_status
wait (gpr_running *w, gpr_resident *x, double *id)
{
  const gpr_shape *s = &w->shape;
  const gpr_node_reduction r = { w->plan.instance, s->inner, s->length, s->outer, gpr_divisor_of (w) };
  gpr_resident *result = NULL;
  gpr_array z = w->out[0].array;

  *id = 0;
  if (! w->in_place || w->finish_there || gpr_is_spread (&w->wanted) || w->want_index || w->bounds || w->q->y || w->q->exact || w->plan.numbers > 1 || s->length < 2 || w->x.complex
      || w->place.backend != w->x.home || w->place.device != w->x.device)
    return GPR_OK;
  gpr_status status = gpr_expression_reduction (x, &r, &z, &result);
  if (status == GPR_OK && result)
    {
      status = gpr_resident_name (result, id);
      if (status != GPR_OK)
        gpr_resident_drop (result);
    }
  if (status == GPR_OK && result)
    gpr_note_call (w->c, &w->noted, w->start, &w->tree);
  return status;
}

/* ---- deliver ------------------------------------------------------------------------- */

static void
deliver (gpr_running *w)
{
  gpr_call *c = w->c;
  const bool index_first = w->o->index_first;

  if (w->negative)
    gpr_mx_refuse (c, "X must not contain any negative values");
  if (w->overflow)
    {
      if (w->whole_outer)       /* of this rank's piece, along that dimension */
        gpr_in_builtin_order (c, w->q);
      gpr_call asked = *c;
      if (w->whole_outer)
        asked.divided = NULL;
      gpr_mx_ask_builtin (&asked);
      return;
    }
  gpr_mx_deliver (c, &c->plhs[0], &w->choice, &w->out[index_first]);
  if (c->nlhs > 1)
    gpr_mx_deliver (c, &c->plhs[1], &w->choice, &w->out[! index_first]);
  else if (index_first && w->out[0].resident)
    gpr_resident_free (w->out[0].id);
  else if (index_first)
    mxDestroyArray (w->out[0].host);
}

void
gpr_run_reduction (gpr_call *c, gpr_request *q)
{
  gpr_running w = { .c = c, .q = q, .o = &gpr_operators[q->op], .start = gpr_now_ms () };
  double id = 0;

  if (! validate (&w) || ! plan (&w))
    return;
  create (&w);
  gpr_status status = w.in_place && w.x.home ? wait (&w, gpr_mx_find (c, q->x), &id) : GPR_OK;
  if (status == GPR_OK && id != 0)
    {
      gpr_mx_deliver_id (c, &c->plhs[0], id);
      return;
    }
  if (status == GPR_OK)
    status = gpr_compute (&w);
  if (q->variant.name)
    gpr_mx_show_printed ();
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  deliver (&w);
}

/* ---- the usual call ------------------------------------------------------------------- */

/* As gpr_run_reduction, of what needs no call of Octave's.  */
gpr_status
gpr_reduce_usual (const char *name, gpr_usual how, gpr_resident *x, int64_t dim, double *id, gpr_array *number)
{
  static double place[2];       /* of a number of any class */
  const gpr_array *a = &x->array;
  gpr_request q = { .which = dim > 0 ? GPR_DIM_LIST : GPR_DIM_DEFAULT, .ndims = dim > 0, .dims = { dim } };
  gpr_call c = { .nlhs = 1 };
  gpr_running w = { .c = &c, .q = &q, .start = gpr_now_ms (), .x = *a, .wanted = *a, .waits = x->node ? x : NULL, .keeps_one = how == GPR_AS_NAMED_KEPT };
  const bool named = how != GPR_AS_FUNCTION;

  *id = 0;
  number->data = NULL;
  if (gpr_is_spread (a) || gpr_array_numel (a) == 0 || a->class == GPR_CLASS_char || ! gpr_operator_find (name, &q.op))
    return GPR_OK;
  w.o = &gpr_operators[q.op];
  const bool all = w.o->arguments == GPR_ARGS_ALL && ! named, floating = a->class == GPR_CLASS_double || a->class == GPR_CLASS_single;
  const bool variance = w.o->engine == GPR_ENGINE_VARIANCE;
  if (! w.o->listed || (w.o->engine != GPR_ENGINE_REDUCE && ! (variance && floating)) || (all && dim > 0))
    return GPR_OK;
  if (all)
    q.which = GPR_DIM_ALL;
  if (! plan_values (&w) || w.want_index || w.plan.complex || w.plan.numbers > 1)
    return GPR_OK;
  gpr_status status = gpr_choose (c.device, a->home, a->device, NULL, NULL, &w.choice);
  if (status != GPR_OK)
    return status;
  w.place = w.noted = w.choice;
  snprintf (c.caller, sizeof c.caller, "gpu_%s", named && ! variance ? "reduce" : name);
  plan_finish (&w);
  w.out[0] = (gpr_output) { .array = plan_outputs (&w), .resident = w.in_place };
  w.out[0].array.home = NULL;
  if (! w.in_place && gpr_array_numel (&w.shape.out) > 1)
    return GPR_OK;
  w.out[0].data = w.in_place ? NULL : place;
  status = wait (&w, x, id);
  if (status != GPR_OK || *id != 0)
    return status;
  status = gpr_compute (&w);
  *id = w.in_place ? w.out[0].id : 0;
  if (status == GPR_OK && ! w.in_place && ! w.overflow)
    {
      *number = w.out[0].array;
      number->data = place;
    }
  return status;
}
