/* Reductions: the built-ins' arguments and result shapes around gpr_reduce.  */

#include <complex.h>
#undef complex
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "mx.h"
#include "../ladder/variant.h"

/* What a call asks for, whichever way it was spelled.  */
typedef struct {
  gpr_op op;
  const mxArray *x, *y;             /* y: a second factor, of x's class and sizes; or NULL */
  enum { DIM_DEFAULT, DIM_LIST, DIM_ALL } which;
  int ndims;                        /* of DIM_LIST: sorted, without repeats */
  int64_t dims[GPR_MAX_DIMS];
  gpr_outtype outtype;
  gpr_mean_kind mean;
  enum { NAN_DEFAULT, NAN_OMIT, NAN_INCLUDE } nan;
  gpr_variant_call variant;         /* name NULL: the engine */
} request;

/* ---- arguments ------------------------------------------------------------------ */

static bool
take_dims (const gpr_call *c, const mxArray *m, request *q)
{
  if (! gpr_mx_dims (c, m, q->op != GPR_OP_MEAN, &q->ndims, q->dims))
    return false;
  q->which = DIM_LIST;
  return true;
}

static bool
is_exactly (const mxArray *m, const char *name)
{
  char text[64];
  return gpr_mx_text (m, text, sizeof text) && strcmp (text, name) == 0;
}

/* "native", "double", "extra" as the last argument of sum and prod.  */
static bool
take_outtype (gpr_op op, const mxArray *m, gpr_outtype *out)
{
  if (is_exactly (m, "native"))
    *out = GPR_OUT_NATIVE;
  else if (is_exactly (m, "double"))
    *out = GPR_OUT_DOUBLE;
  else if (op == GPR_OP_SUM && is_exactly (m, "extra"))
    *out = GPR_OUT_EXTRA;
  else
    return false;
  return true;
}

/* mean (x, dim, opt, outtype): dim and opt in either order.  */
static bool
take_mean (const gpr_call *c, int nrhs, const mxArray *const *rhs, request *q)
{
  bool seen_dim = q->which != DIM_DEFAULT, seen_kind = false;

  if (nrhs > 1)
    {
      const mxArray *last = rhs[nrhs - 1];
      bool native = gpr_mx_option (last, "native"), wide = gpr_mx_option (last, "double");
      if (native || wide || gpr_mx_option (last, "default"))
        {
          q->outtype = native ? GPR_OUT_NATIVE : wide ? GPR_OUT_DOUBLE : GPR_OUT_DEFAULT;
          nrhs--;
        }
    }
  for (int i = 1; i < nrhs; i++)
    {
      const mxArray *m = rhs[i];
      if (mxIsChar (m) && ! seen_kind)
        {
          seen_kind = true;
          if (is_exactly (m, "g"))
            q->mean = GPR_MEAN_GEOMETRIC;
          else if (is_exactly (m, "h"))
            q->mean = GPR_MEAN_HARMONIC;
          else if (! is_exactly (m, "a"))
            return false;
        }
      else if (! seen_dim && take_dims (c, m, q))
        seen_dim = true;
      else
        return false;
    }
  return true;
}

/* The built-in's argument order.  False: the built-in shall answer.  */
/* As the built-in does of max (x, y, dim).  */
static void
warn_ignored (const gpr_call *c)
{
  char text[128];
  snprintf (text, sizeof text, "%s: second argument is ignored", c->caller);
  mxArray *in[2] = { mxCreateString ("%s"), mxCreateString (text) };
  mexCallMATLAB (0, NULL, 2, in, "warning");
}

static bool
take_arguments (const gpr_call *c, request *q)
{
  const gpr_operator *o = &gpr_operators[q->op];
  bool pair_form = o->keeps_empty;      /* max (x, [], dim) */
  const mxArray *rhs[GPR_MAX_DIMS];     /* without our own words, which may stand anywhere */
  int nrhs = 0;

  if (c->nrhs < 1 || c->nlhs > o->max_outputs)
    return false;
  q->x = rhs[nrhs++] = c->rhs[0];
  for (int i = 1; i < c->nrhs; i++)
    {
      const mxArray *m = c->rhs[i];
      if (o->nan_option && q->nan == NAN_DEFAULT && gpr_mx_option (m, "omitnan"))
        q->nan = NAN_OMIT;
      else if (o->nan_option && q->nan == NAN_DEFAULT && gpr_mx_option (m, "includenan"))
        q->nan = NAN_INCLUDE;
      else if (q->which == DIM_DEFAULT && gpr_mx_option (m, "all"))
        q->which = DIM_ALL;
      else
        rhs[nrhs++] = m;
    }
  if (q->op == GPR_OP_MEAN)
    return take_mean (c, nrhs, rhs, q);
  if (o->outtypes && nrhs > 1 && mxIsChar (rhs[nrhs - 1]))
    {
      if (! take_outtype (q->op, rhs[nrhs - 1], &q->outtype))
        return false;
      nrhs--;
    }
  if (pair_form && nrhs > 1)
    {
      const mxArray *second = rhs[1];
      if (! mxIsNumeric (second) || nrhs > 3)
        return false;
      if (mxGetNumberOfElements (second) != 0)
        {
          if (nrhs == 2 || q->which != DIM_DEFAULT || ! take_dims (c, rhs[2], q))
            return false;
          warn_ignored (c);
          return true;
        }
      return nrhs == 2 ? q->which == DIM_ALL || q->nan != NAN_DEFAULT
                       : q->which == DIM_DEFAULT && take_dims (c, rhs[2], q);
    }
  if (nrhs == 2)
    return q->which == DIM_DEFAULT && take_dims (c, rhs[1], q);
  return nrhs == 1;
}

/* ---- shapes ------------------------------------------------------------------------ */

static gpr_shape
make_shape (const request *q, const gpr_array *x)
{
  bool reduced[GPR_MAX_DIMS] = { false };
  const gpr_operator *o = &gpr_operators[q->op];
  gpr_array a = *x;
  int nd = a.ndims;

  if (q->which == DIM_ALL)
    for (int d = 0; d < nd; d++)
      reduced[d] = true;
  else if (q->which == DIM_LIST)
    {
      for (int i = 0; i < q->ndims; i++)
        if (q->dims[i] <= nd)
          reduced[q->dims[i] - 1] = true;
    }
  /* The built-ins take 0x0 for 0x1: sum ([]) is 0.  */
  if (! o->keeps_empty && nd == 2 && a.dims[0] == 0 && a.dims[1] == 0)
    a.dims[1] = 1;
  if (q->which == DIM_DEFAULT)
    {
      int d = 0;
      while (d < nd && (q->op == GPR_OP_MEAN ? x->dims[d] <= 1 : a.dims[d] == 1))
        d++;
      reduced[d < nd ? d : 0] = true;
    }

  gpr_shape s = gpr_shape_make (&a, reduced, o->keeps_empty);
  if (q->which == DIM_ALL && o->keeps_empty && s.length == 0)
    s.out = (gpr_array) { .ndims = 2 };
  return s;
}

/* ---- results ------------------------------------------------------------------------- */

static double
to_double (const void *p, gpr_class class, int64_t i)
{
  switch (class)
    {
    case GPR_CLASS_double: return ((const double *) p)[i];
    case GPR_CLASS_single: return ((const float *) p)[i];
    case GPR_CLASS_int8: return ((const int8_t *) p)[i];
    case GPR_CLASS_int16: return ((const int16_t *) p)[i];
    case GPR_CLASS_uint16: return ((const uint16_t *) p)[i];
    case GPR_CLASS_int32: return ((const int32_t *) p)[i];
    case GPR_CLASS_uint32: return ((const uint32_t *) p)[i];
    case GPR_CLASS_int64: return (double) ((const int64_t *) p)[i];
    case GPR_CLASS_uint64: return (double) ((const uint64_t *) p)[i];
    default: return ((const uint8_t *) p)[i];
    }
}

/* Octave's conversion to integers: rounded half away, saturated, NaN to 0.  */
#define TO_INTEGER(T, low, high) \
  (((T *) p)[i] = v != v ? 0 : (v = round (v)) <= (double) low ? low : v >= (double) high ? high : (T) v)

static void
from_double (void *p, gpr_class class, int64_t i, double v)
{
  switch (class)
    {
    case GPR_CLASS_double: ((double *) p)[i] = v; break;
    case GPR_CLASS_single: ((float *) p)[i] = (float) v; break;
    case GPR_CLASS_int8: TO_INTEGER (int8_t, INT8_MIN, INT8_MAX); break;
    case GPR_CLASS_uint8: TO_INTEGER (uint8_t, 0, UINT8_MAX); break;
    case GPR_CLASS_int16: TO_INTEGER (int16_t, INT16_MIN, INT16_MAX); break;
    case GPR_CLASS_uint16: TO_INTEGER (uint16_t, 0, UINT16_MAX); break;
    case GPR_CLASS_int32: TO_INTEGER (int32_t, INT32_MIN, INT32_MAX); break;
    case GPR_CLASS_uint32: TO_INTEGER (uint32_t, 0, UINT32_MAX); break;
    case GPR_CLASS_int64: TO_INTEGER (int64_t, INT64_MIN, INT64_MAX); break;
    case GPR_CLASS_uint64: TO_INTEGER (uint64_t, 0, UINT64_MAX); break;
    default: ((uint8_t *) p)[i] = (uint8_t) v; break;
    }
}

/* exp (s) or n / s of one raw mean, in its own precision.  */
static void
finish_mean (gpr_mean_kind kind, gpr_class class, bool complex, void *raw, int64_t i, double n)
{
#define FINISH(R, T, MAKE, RE, IM, EXP, CEXP) \
  do \
    { \
      R *v = (R *) raw + (complex ? 2 * i : i); \
      if (! complex) \
        *v = kind == GPR_MEAN_GEOMETRIC ? EXP (*v) : (R) n / *v; \
      else \
        { \
          T s = MAKE (v[0], v[1]), y = kind == GPR_MEAN_GEOMETRIC ? CEXP (s) : MAKE ((R) n, 0) / s; \
          v[0] = RE (y); \
          v[1] = IM (y); \
        } \
    } \
  while (0)
  if (class == GPR_CLASS_single)
    FINISH (float, float _Complex, CMPLXF, crealf, cimagf, expf, cexpf);
  else
    FINISH (double, double _Complex, CMPLX, creal, cimag, exp, cexp);
#undef FINISH
}

/* The place in x, from 0, of row r of output i: linear where several
   dimensions were reduced.  */
static int64_t
linear_index (const gpr_shape *s, const gpr_array *x, int64_t i, int64_t r)
{
  if (! s->scattered)
    return i % s->inner + s->inner * (r + s->length * (i / s->inner));
  int64_t at = r + s->length * i, place = 0, stride[GPR_MAX_DIMS];
  for (int d = 0; d < x->ndims; d++)
    stride[d] = d == 0 ? 1 : stride[d - 1] * x->dims[d - 1];
  for (int k = 0; k < s->rank; k++)
    {
      place += at % x->dims[s->order[k]] * stride[s->order[k]];
      at /= x->dims[s->order[k]];
    }
  return place;
}

/* ---- the call -------------------------------------------------------------------------- */

/* The built-in takes one dimension: the reduced ones are made one, the first.  */
static void ask_builtin_over (gpr_call *c, request *q, const gpr_shape *s, bool resident);

typedef struct {
  gpr_reduction r;
  gpr_plan plan;
  gpr_mean_kind mean;
  bool omit_mean;                   /* divide each sum by its own count */
  bool nan_first;                   /* "includenan" of max and min */
  bool check_negative;              /* mean "g" refuses negative values */
  bool negative;                    /* out */
} work;

/* Everything between validation and raising: no mx call in here.  raw holds
   the reduction's values, index the places, both on the host unless out_resident.  */
static gpr_status
compute (const gpr_backend *b, work *w)
{
  gpr_reduction *r = &w->r;
  int64_t outputs = r->inner * r->outer;
  enum gpr_elem e = gpr_instances[r->instance].elem;
  gpr_status status;

  if (w->check_negative)
    {
      union { double d; float f; } lowest = { 0 };
      gpr_reduction low = { .instance = e == GPR_f64 ? GPR_min_f64 : GPR_min_f32, .inner = 1, .length = r->inner * r->length * r->outer,
                            .outer = 1, .x = r->x, .x_resident = r->x_resident, .value = &lowest };
      status = gpr_reduce (b, &low);
      if (status != GPR_OK)
        return status;
      w->negative = e == GPR_f64 ? lowest.d < 0 : lowest.f < 0;
      if (w->negative)
        return GPR_OK;
    }
  status = gpr_reduce (b, r);
  if (status != GPR_OK)
    return status;

  if (w->nan_first && gpr_nanindex_instance (e) != GPR_INSTANCE_NONE)
    {
      int bytes = gpr_instances[r->instance].value_bytes;
      gpr_reduction look = *r;
      int64_t *place = malloc (outputs * sizeof *place);
      char *value = malloc (outputs * bytes);
      status = place && value ? GPR_OK
               : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * (bytes + sizeof *place));
      look.instance = gpr_nanindex_instance (e);
      look.value = value;
      look.index = place;
      if (status == GPR_OK)
        status = gpr_reduce (b, &look);
      for (int64_t i = 0; i < outputs && status == GPR_OK; i++)
        if (place[i] != INT64_MAX)
          {
            memcpy ((char *) r->value + i * bytes, value + i * bytes, bytes);
            if (r->index)
              r->index[i] = place[i];
          }
      free (place);
      free (value);
    }
  if (status != GPR_OK)
    return status;

  if (w->omit_mean)
    {
      double *nans = malloc (outputs * sizeof *nans);
      gpr_reduction count = *r;
      count.instance = gpr_nancount_instance (e);
      count.value = nans;
      status = nans ? gpr_reduce (b, &count) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * sizeof *nans);
      int parts = w->plan.complex ? 2 : 1;
      for (int64_t i = 0; i < outputs * parts && status == GPR_OK; i++)
        if (w->plan.raw_class == GPR_CLASS_single)
          ((float *) r->value)[i] /= (float) (r->length - nans[i / parts]);
        else
          ((double *) r->value)[i] /= r->length - nans[i / parts];
      free (nans);
    }
  if (status == GPR_OK && w->mean != GPR_MEAN_ARITHMETIC)
    for (int64_t i = 0; i < outputs; i++)
      finish_mean (w->mean, w->plan.raw_class, w->plan.complex, r->value, i, (double) r->length);
  return status;
}

/* Over all, the elements pair as they lie: a row goes with a column.  */
static bool
paired (const request *q, const gpr_array *x, const gpr_array *y)
{
  if (q->which == DIM_ALL)
    return gpr_array_numel (x) == gpr_array_numel (y);
  return x->ndims == y->ndims && memcmp (x->dims, y->dims, x->ndims * sizeof *x->dims) == 0;
}

/* gpr_reach for y; where only one of the two is on the device, both from the host.  */
static gpr_status
reach_factor (const gpr_array *x, const gpr_array *y, const gpr_choice *choice, gpr_reduction *r, void **xcopy, void **ycopy)
{
  const gpr_choice host = { .backend = &gpr_cpu_backend };
  bool resident;
  gpr_status status = gpr_reach (y, choice, &r->y, &resident, ycopy);
  if (status == GPR_OK && resident && ! r->x_resident)
    status = gpr_reach (y, &host, &r->y, &resident, ycopy);
  else if (status == GPR_OK && r->x_resident && ! resident)
    status = gpr_reach (x, &host, &r->x, &r->x_resident, xcopy);
  return status;
}

static void
reduce (gpr_call *c, request *q)
{
  const gpr_operator *o = &gpr_operators[q->op];
  bool arg = q->op == GPR_OP_ARGMAX || q->op == GPR_OP_ARGMIN;
  bool several = q->which == DIM_ALL || (q->which == DIM_LIST && q->ndims > 1);
  double start = gpr_now_ms ();
  gpr_array x, y = { 0 };

  if (! gpr_mx_array (c, q->x, &x))
    {
      /* Sparse goes to the built-in; with options of ours, as full.  */
      bool ours = several || q->nan != NAN_DEFAULT || q->variant.name;
      if (ours && mxGetNumberOfDimensions (q->x) > GPR_MAX_DIMS)
        gpr_mx_invalid (c, "X has more than %d dimensions", GPR_MAX_DIMS);
      if (! (mxIsSparse (q->x) && ours))
        {
          gpr_mx_ask_builtin (c);
          return;
        }
      mxArray *full[1], *in[1] = { (mxArray *) q->x };
      mexCallMATLAB (1, full, 1, in, "full");
      q->x = full[0];
      gpr_mx_array (c, q->x, &x);
    }

  if (q->y && (! gpr_mx_array (c, q->y, &y) || y.class != x.class || y.complex != x.complex || ! paired (q, &x, &y)))
    gpr_mx_invalid (c, "X and Y must be full arrays of one class and size");

  gpr_plan plan;
  gpr_shape s = make_shape (q, &x);
  gpr_question question = { .op = q->op, .class = x.class, .complex = x.complex, .outtype = q->outtype, .mean = q->mean,
                            .omit_nan = q->nan == NAN_OMIT && ! o->keeps_empty, .want_index = arg || c->nlhs > 1, .n = s.length };
  if (q->mean != GPR_MEAN_ARITHMETIC && q->nan == NAN_OMIT)
    gpr_mx_invalid (c, "\"omitnan\" goes with the arithmetic mean only");
  if (! gpr_plan_make (&question, &plan))
    {
      if (! o->builtin)
        gpr_mx_invalid (c, "X must be a full array of class double or single");
      if (several)
        ask_builtin_over (c, q, &s, x.home != NULL);
      else
        gpr_mx_ask_builtin (c);
      return;
    }
  gpr_array wanted = x;             /* where the result belongs */
  if (q->y && (s.scattered || ! (gpr_instances[plan.instance].traits & GPR_PRODUCTS)))
    gpr_mx_invalid (c, "products are summed along one dimension of double or single arrays, or along all");
  if (s.scattered)
    {
      gpr_array moved;
      q->x = gpr_mx_permuted (&s, q->x);
      gpr_mx_array (c, q->x, &moved);
      moved.home = NULL;
      x = moved;
    }
  const gpr_reduction to_come = { .instance = plan.instance, .inner = s.inner, .length = s.length, .outer = s.outer, .x = x.data, .y = q->y ? y.data : NULL };
  gpr_choice choice = q->variant.name ? gpr_mx_choose_for_variant (c, &wanted, &q->variant.simulated)
                      : gpr_mx_choose_reduction (c, &wanted, q->y ? &y : NULL, &to_come);

  /* Outputs.  They are written in place where the reduction's values are the
     result, and stay on the device where a gpuArray came in and an array goes
     out.  Complex ones pass through the host, which drops zero imaginary parts.  */
  int64_t outputs = gpr_array_numel (&s.out);
  bool keep = (wanted.home || y.home) && outputs != 1 && plan.numbers == 1;
  work w = { .plan = plan, .mean = q->mean,
             .omit_mean = q->op == GPR_OP_MEAN && question.omit_nan && gpr_nancount_instance (gpr_array_elem (&x)) != GPR_INSTANCE_NONE,
             .nan_first = o->keeps_empty && q->nan == NAN_INCLUDE,
             .check_negative = q->op == GPR_OP_MEAN && q->mean == GPR_MEAN_GEOMETRIC && ! x.complex && gpr_array_numel (&x) > 0 };
  bool casts = plan.raw_class != plan.out_class;
  bool in_place = keep && ! casts && ! plan.complex && ! question.want_index && ! w.omit_mean && ! w.nan_first
                  && q->mean == GPR_MEAN_ARITHMETIC && s.length > 0 && outputs > 0 && ! q->variant.name;
  mxArray *value_out = NULL, *index_out = NULL;
  void *value = NULL;
  double *places = NULL;
  gpr_array value_array = s.out, index_array = s.out;
  if (plan.numbers > 1)
    value_array = (gpr_array) { .ndims = 2, .dims = { plan.numbers, outputs } };
  value_array.class = plan.out_class;
  value_array.complex = plan.complex;
  if (! in_place)
    value_out = gpr_mx_create (&value_array, &value);
  if (question.want_index)
    index_out = gpr_mx_create (&index_array, (void **) &places);

  gpr_choice place_to_run = choice, noted = choice;
  if (s.length == 0 || (q->variant.name && s.inner > 1))         /* a variant's columns are gathered on the host */
    place_to_run = (gpr_choice) { .backend = &gpr_cpu_backend };
  const gpr_backend *b = place_to_run.backend;
  if (q->variant.name)
    {
      q->variant.instance = plan.instance;
      q->variant.real = b;
      noted.backend = b = gpr_variant_backend (&q->variant);
    }
  gpr_tree tree = gpr_tree_make (gpr_instances[plan.instance].acc_bytes, s.inner, s.length, s.outer);

  /* ------------------------------------------------------------------------ */
  gpr_status status = GPR_OK;
  void *copy = NULL, *second = NULL, *raw = value, *resident = NULL;
  int64_t *index = NULL;
  if (outputs > 0)
    {
      size_t raw_bytes = (size_t) outputs * gpr_instances[plan.instance].value_bytes;
      w.r = (gpr_reduction) { .instance = plan.instance, .inner = s.inner, .length = s.length, .outer = s.outer,
                              .divisor = q->op == GPR_OP_MEAN && ! w.omit_mean && q->mean != GPR_MEAN_HARMONIC ? (double) s.length : 0,
                              .out_resident = in_place };
      if (in_place)
        {
          status = b->allocate (&resident, raw_bytes);
          raw = resident;
        }
      else if (casts && ! (raw = malloc (raw_bytes)))
        status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", raw_bytes);
      if (status == GPR_OK && question.want_index && ! (index = malloc (outputs * sizeof *index)))
        status = gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * sizeof *index);
      w.r.value = raw;
      w.r.index = index;
      if (status == GPR_OK)
        status = gpr_reach (&x, &place_to_run, &w.r.x, &w.r.x_resident, &copy);
      if (status == GPR_OK && q->y)
        status = reach_factor (&x, &y, &place_to_run, &w.r, &copy, &second);
      if (status == GPR_OK)
        status = compute (b, &w);
      if (status == GPR_OK && s.length == 0 && q->op == GPR_OP_MEAN)
        for (int64_t i = 0, parts = plan.complex ? 2 : 1; i < outputs * parts; i++)
          from_double (raw, plan.raw_class, i, i % parts ? 0 : gpr_make_nan ());      /* 0/0 */
      if (status == GPR_OK && casts)
        for (int64_t i = 0; i < outputs * (plan.complex ? 2 : 1); i++)
          from_double (value, plan.out_class, i, to_double (raw, plan.raw_class, i));
      if (status == GPR_OK && index)
        for (int64_t i = 0; i < outputs; i++)
          places[i] = 1.0 + (q->which == DIM_ALL || (q->which == DIM_LIST && q->ndims > 1)
                             ? linear_index (&s, &wanted, i, index[i]) : index[i]);
      free (index);
      free (copy);
      free (second);
      if (casts)
        free (raw);
    }
  double id = 0;
  if (status == GPR_OK && in_place)
    {
      gpr_array kept = value_array;
      kept.data = resident;
      kept.home = b;
      kept.device = choice.device;
      status = gpr_handle_add (&kept, &id);
    }
  if (status != GPR_OK && resident)
    b->release (resident);
  gpr_note_call (c, &noted, start, q->variant.name ? NULL : &tree);
  /* ------------------------------------------------------------------------ */

  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  if (w.negative)
    gpr_mx_refuse (c, "X must not contain any negative values");
  if (in_place)
    value_out = gpr_mx_wrap (c, id);
  else if (keep)
    value_out = gpr_mx_keep (c, &choice, &value_array, value_out);
  if (index_out && keep)
    index_out = gpr_mx_keep (c, &choice, &index_array, index_out);
  c->plhs[0] = arg ? index_out : value_out;
  if (c->nlhs > 1)
    c->plhs[1] = arg ? value_out : index_out;
  else if (arg)
    mxDestroyArray (value_out);
}

/* Dimensions and options may lie on a GPU too.  */
static void
gather_from (gpr_call *c, int first)
{
  for (int i = first; i < c->nrhs; i++)
    if (gpr_mx_is_gpuarray (c->rhs[i]))
      {
        mxArray *out[1], *in[1] = { (mxArray *) c->rhs[i] };
        mexCallMATLAB (1, out, 1, in, "gather");
        c->rhs[i] = out[0];
      }
}

void
gpr_mx_reduce (gpr_call *c, gpr_op op)
{
  request q = { .op = op };
  bool arg = op == GPR_OP_ARGMAX || op == GPR_OP_ARGMIN, pair = op == GPR_OP_MAX || op == GPR_OP_MIN;

  gpr_mx_take_device (c);
  gather_from (c, pair && c->nrhs == 2 ? 2 : 1);
  if (take_arguments (c, &q))
    {
      reduce (c, &q);
      return;
    }
  if (arg && c->nrhs > 1 && mxGetNumberOfElements (c->rhs[1]) > 0)
    gpr_mx_invalid (c, "the second argument must be []; DIM is the third");
  if (pair && q.nan != NAN_DEFAULT && c->nrhs == 3)
    gpr_mx_invalid (c, "nanflag does not go with two arrays");
  if (pair && c->nrhs == 2 && c->nlhs <= 1)
    gpr_mx_pair (c, op);
  else
    gpr_mx_ask_builtin (c);
}

/* X, Y, DIM: the sum of conj (x) .* y.  */
void
gpr_mx_dot (gpr_call *c)
{
  request q = { .op = GPR_OP_SUM };

  gpr_mx_take_device (c);
  gather_from (c, 2);
  if (c->nrhs != 3)
    gpr_mx_invalid (c, "two arrays and a dimension are needed");
  q.y = c->rhs[1];
  c->rhs[1] = c->rhs[2];
  c->nrhs = 2;
  if (! take_arguments (c, &q))
    gpr_mx_invalid (c, "DIM must be a valid dimension");
  reduce (c, &q);
}

/* What goes with variants, and with the one that is none.  */
static void
check_variant (const gpr_call *c, const request *q, bool engine, bool geometry)
{
  static const gpr_op known[] = { GPR_OP_SUM, GPR_OP_PROD, GPR_OP_MAX, GPR_OP_MIN, GPR_OP_ARGMAX, GPR_OP_ARGMIN };
  bool has_op = false;

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    has_op |= q->op == known[i];
  if (engine && geometry)
    gpr_mx_invalid (c, "the variant engine takes neither finish nor block nor force");
  if (engine && c->device.want == GPR_WANT_SIM)
    gpr_mx_invalid (c, "the variant engine runs on a GPU or the CPU, not in the simulator");
  if (! engine && ! q->variant.name && geometry)
    gpr_mx_invalid (c, "finish, block and force go with variant");
  if (q->variant.name && ! has_op)
    gpr_mx_invalid (c, "variants take sum, prod, max, min, argmax, argmin and histogram, not %s", gpr_operators[q->op].name);
  if (q->variant.name && (q->nan != NAN_DEFAULT || q->outtype != GPR_OUT_DEFAULT))
    gpr_mx_invalid (c, "a variant takes neither nanflag nor outtype");
}

/* The same call in the built-in's argument order, should it be asked.  */
static void
in_builtin_order (gpr_call *c, const request *q)
{
  static const char *const outtypes[] = { [GPR_OUT_NATIVE] = "native", [GPR_OUT_DOUBLE] = "double", [GPR_OUT_EXTRA] = "extra" };
  c->nrhs = 1;
  if (q->which == DIM_LIST && q->ndims == 1)
    {
      if (gpr_operators[q->op].keeps_empty)
        c->rhs[c->nrhs++] = mxCreateDoubleMatrix (0, 0, mxREAL);
      c->rhs[c->nrhs++] = mxCreateDoubleScalar ((double) q->dims[0]);
    }
  if (q->mean != GPR_MEAN_ARITHMETIC)
    c->rhs[c->nrhs++] = mxCreateString (q->mean == GPR_MEAN_GEOMETRIC ? "g" : "h");
  if (q->outtype != GPR_OUT_DEFAULT)
    c->rhs[c->nrhs++] = mxCreateString (outtypes[q->outtype]);
}

static void
ask_builtin_over (gpr_call *c, request *q, const gpr_shape *s, bool resident)
{
  const int64_t columns[2] = { s->length, s->inner * s->outer };

  c->rhs[0] = gpr_mx_reshaped (gpr_mx_permuted (s, q->x), 2, columns);
  q->which = DIM_LIST;
  q->ndims = 1;
  q->dims[0] = 1;
  in_builtin_order (c, q);
  c->nlhs = 1;
  gpr_mx_ask_builtin (c);
  c->plhs[0] = gpr_mx_reshaped (c->plhs[0], s->out.ndims, s->out.dims);
  if (resident && gpr_array_numel (&s->out) != 1)
    {
      mxArray *in[1] = { c->plhs[0] };
      mexCallMATLAB (1, c->plhs, 1, in, "gpuArray");
    }
}

void
gpr_mx_reduce_named (gpr_call *c)
{
  request q = { .variant = { .finish = -1, .block = -1 } };
  bool engine = false, geometry = false;
  char name[64], variant[128];

  if (c->nrhs < 2 || ! gpr_mx_text (c->rhs[1], name, sizeof name) || ! gpr_operator_find (name, &q.op))
    gpr_mx_invalid (c, "OP must be \"sum\", \"prod\", \"sumsq\", \"mean\", \"max\", \"min\", \"any\", \"all\", "
                    "\"argmax\", \"argmin\", \"var\", \"std\", \"median\", \"mode\", \"range\", \"bounds\", \"cumsum\", "
                    "\"cumprod\", \"cummax\", \"cummin\" or \"histogram\"");
  if (c->nrhs % 2 != 0)
    gpr_mx_invalid (c, "options must come as pairs of a name and a value");
  const gpr_operator *o = &gpr_operators[q.op];
  gather_from (c, 2);
  q.x = c->rhs[0];
  for (int i = 2; i < c->nrhs; i += 2)
    {
      const mxArray *key = c->rhs[i], *value = c->rhs[i + 1];
      char text[64] = "";
      gpr_mx_text (value, text, sizeof text);
      geometry |= gpr_mx_option (key, "finish") || gpr_mx_option (key, "block") || gpr_mx_option (key, "force");
      if (gpr_mx_option (key, "device"))
        gpr_mx_device (c, value, &c->device);
      else if (gpr_mx_option (key, "dim"))
        {
          if (gpr_mx_option (value, "all"))
            q.which = DIM_ALL;
          else if (mxGetNumberOfElements (value) == 0 && mxIsDouble (value))
            q.which = DIM_DEFAULT;
          else if (! take_dims (c, value, &q))
            gpr_mx_invalid (c, "dim must be a positive integer, a vector of them, or \"all\"");
        }
      else if (gpr_mx_option (key, "nanflag"))
        {
          if (! gpr_mx_option (value, "omitnan") && ! gpr_mx_option (value, "includenan"))
            gpr_mx_invalid (c, "nanflag must be \"omitnan\" or \"includenan\"");
          if (! o->nan_option)
            gpr_mx_invalid (c, "%s takes no nanflag", o->name);
          q.nan = gpr_mx_option (value, "omitnan") ? NAN_OMIT : NAN_INCLUDE;
        }
      else if (gpr_mx_option (key, "outtype"))
        {
          if (gpr_mx_option (value, "default"))
            q.outtype = GPR_OUT_DEFAULT;
          else if (! o->outtypes || ! take_outtype (q.op, value, &q.outtype))
            gpr_mx_invalid (c, "outtype \"%s\" is not one that %s has", text, o->name);
        }
      else if (gpr_mx_option (key, "meantype") && q.op == GPR_OP_MEAN)
        {
          if (strlen (text) != 1 || ! strchr ("agh", text[0]))
            gpr_mx_invalid (c, "meantype must be \"a\", \"g\" or \"h\"");
          q.mean = text[0] == 'g' ? GPR_MEAN_GEOMETRIC : text[0] == 'h' ? GPR_MEAN_HARMONIC : GPR_MEAN_ARITHMETIC;
        }
      else if (gpr_mx_option (key, "variant"))
        {
          if (! gpr_mx_text (value, variant, sizeof variant))
            gpr_mx_invalid (c, "variant must be a name; gpu_variants lists them");
          engine = strcmp (variant, "engine") == 0;     /* that is what runs anyway */
          q.variant.name = engine ? NULL : variant;
        }
      else if (gpr_mx_option (key, "finish"))
        q.variant.finish = gpr_mx_finish (c, value);
      else if (gpr_mx_option (key, "block"))
        q.variant.block = gpr_mx_block (c, value);
      else if (gpr_mx_option (key, "force"))
        {
          if (! mxIsLogicalScalar (value))
            gpr_mx_invalid (c, "force must be true or false");
          q.variant.force = mxIsLogicalScalarTrue (value);
        }
      else
        {
          gpr_mx_text (key, name, sizeof name);
          gpr_mx_invalid (c, "unknown option \"%s\"; options are dim, outtype, nanflag, variant, finish, block, force, device%s",
                          mxIsChar (key) ? name : "?", q.op == GPR_OP_MEAN ? ", meantype" : "");
        }
    }
  check_variant (c, &q, engine, geometry);
  c->builtin = o->builtin;
  in_builtin_order (c, &q);
  if (c->nlhs > o->max_outputs)
    gpr_mx_invalid (c, "%s has %d output%s", o->name, o->max_outputs, o->max_outputs > 1 ? "s" : "");
  reduce (c, &q);
}
