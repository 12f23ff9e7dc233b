/* Cumulative sums and products of floating-point arrays, cumulative extremes of all: the
   built-ins' arguments, and nanflags.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cpu/cpu.h"
#include "../spread/spread.h"
#include "divided.h"
#include "fields.h"
#include "request.h"
#include "../core/scan.h"

typedef struct {
  gpr_scan_op op;
  bool extreme;                     /* cummax, cummin */
  const mxArray *source;
  gpr_array x, wanted;              /* wanted: where the results belong */
  gpr_resident *waits;              /* x is not computed yet, or not made double yet; or NULL */
  gpr_class given;                  /* x's, or of the host's elements that become the double ones it says they are where they are scanned */
  int64_t dim;                      /* from 1 */
  mxArray *absent;                  /* where x (of a piece this rank's elements) is NaN, logical; or NULL: nowhere that counts */
  gpr_piece piece;                  /* of x, where it is divided and was changed */
  int64_t from, rows;               /* of each column: this rank's are so many from there on */
  gpr_scanning p;
  gpr_output out[2];
} scan;

static scan
scan_of (const gpr_operator *o)
{
  return (scan) { .op = o->engine_op, .extreme = o->engine_op == GPR_SCAN_cummax || o->engine_op == GPR_SCAN_cummin, .p = { .inner = 1, .length = 1, .outer = 1 } };
}

/* Sums and products are of floating-point numbers.  */
static bool
takes_class (const scan *s)
{
  return s->extreme || s->x.class == GPR_CLASS_double || s->x.class == GPR_CLASS_single;
}

static void
shape (scan *s)
{
  s->p.op = s->op;
  s->p.elem = gpr_array_elem (&s->x);
  for (int d = 0; d < s->x.ndims; d++)
    *(d + 1 < s->dim ? &s->p.inner : d + 1 == s->dim ? &s->p.length : &s->p.outer) *= s->x.dims[d];
}

/* ---- arguments -------------------------------------------------------------------------- */

/* Whether products of integers are most likely not in doubt: columns are so short that they are walked, or the first ones' products are soon 0.  Others most
   likely leave the range, and what was made tile by tile would have to be made again.  */
static bool
stays_sure (const scan *s)
{
  enum { COLUMNS = 8, ROWS = 64 };
  const int64_t length = s->dim <= s->x.ndims ? s->x.dims[s->dim - 1] : 1;
  int64_t inner = 1;
  bool all = true;

  for (int d = 0; d < s->x.ndims && d + 1 < s->dim; d++)
    inner *= s->x.dims[d];
  for (int64_t c = 0; c < COLUMNS && c < inner && all && length > GPR_SCAN_SHORT; c++)
    {
      bool zero = false;
      for (int64_t r = 0; r < ROWS && r < length && ! zero; r++)
        zero = gpr_array_element (&s->x, r * inner + c) == 0;
      all = zero;
    }
  return all;
}

/* Integers and logicals become doubles where they are scanned, on a device or the host.  */
static void
make_double (const gpr_call *c, const gpr_request *q, scan *s)
{
  const size_t bytes = gpr_elem_bytes[gpr_array_elem (&s->x)];
  if (q->nan == GPR_NAN_DEFAULT && ! s->x.home && ! s->x.complex && ! gpr_is_divided (&s->x) && s->x.class != GPR_CLASS_single && bytes < sizeof (i64)
      && (s->op == GPR_SCAN_cumsum || s->x.class == GPR_CLASS_logical || stays_sure (s)))
    {
      s->x.class = GPR_CLASS_double;
      return;
    }
  s->given = GPR_CLASS_double;
  if (q->nan == GPR_NAN_DEFAULT && s->x.home && ! gpr_is_divided (&s->x) && (s->waits = gpr_mx_find (c, s->source)) && gpr_expression_reads (&s->x))
    {
      s->x.class = GPR_CLASS_double;
      return;
    }
  if (s->waits)
    gpr_mx_array (c, s->source, &s->x);
  s->waits = NULL;
  s->source = gpr_mx_converted (c, s->source, GPR_CLASS_double, s->x.complex, &s->x);
}

/* x, dim, outtype; false: the built-in shall answer.  */
static bool
take_arguments (const gpr_call *c, const gpr_operator *o, gpr_request *q, scan *s)
{
  int nrhs = c->nrhs;

  if (nrhs < 1 || c->nlhs > o->max_outputs)
    return false;
  if (nrhs > 1 && gpr_take_outtype (o, c->rhs[nrhs - 1], &q->outtype))
    nrhs--;
  if (nrhs > 2 || ! (q->nan == GPR_NAN_DEFAULT ? gpr_mx_look (c, c->rhs[0], &s->x, &s->waits) : gpr_mx_array (c, c->rhs[0], &s->x))
      || s->x.class == GPR_CLASS_char || gpr_array_numel (&s->x) == 0)
    return false;
  const bool floating = s->x.class == GPR_CLASS_double || s->x.class == GPR_CLASS_single;
  if ((q->outtype == GPR_OUT_NATIVE && ! floating)
      || ((q->outtype != GPR_OUT_DEFAULT || gpr_class_is_integer (s->x.class)) && o->max_outputs == 1
          && gpr_rule_holds (GPR_RULE_cumulative_class)))
    return false;
  s->dim = gpr_default_dim (&s->x, false) + 1;
  if (nrhs == 2)
    {
      const mxArray *m = gpr_mx_is_gpuarray (c->rhs[1]) ? gpr_mx_call ("gather", 1, c->rhs[1], NULL) : c->rhs[1];
      if (! mxIsNumeric (m) || ! gpr_mx_count (m, &s->dim) || s->dim >= (int64_t) 1 << 31)
        return false;
    }
  s->source = c->rhs[0];
  s->given = s->x.class;
  if (! takes_class (s) || (! s->extreme && q->outtype == GPR_OUT_DOUBLE && s->x.class != GPR_CLASS_double))
    make_double (c, q, s);
  return true;
}

/* ---- nanflags --------------------------------------------------------------------------- */

/* Sums and products leave NaN out: x with what changes nothing in their place.  */
static void
replace_nan (const gpr_call *c, scan *s, const mxArray *host, bool real)
{
  gpr_array a;
  void *data;
  const bool *nan = mxGetData (s->absent);

  gpr_call plain = *c;
  const bool divided = gpr_is_divided (&s->x);
  plain.divided = NULL;
  gpr_mx_array (&plain, host, &a);
  const int64_t count = gpr_array_numel (&a);
  const size_t bytes = gpr_elem_bytes[gpr_array_elem (&a)];
  union { double d[2]; float f[2]; char bytes[16]; } neutral = { { 0, 0 } };
  if (a.class == GPR_CLASS_single)
    neutral.f[0] = s->op == GPR_SCAN_cumprod;
  else
    neutral.d[0] = s->op == GPR_SCAN_cumprod;
  const char *from = a.data;
  mxArray *copy = gpr_mx_create (&a, &data);
  for (int64_t i = 0; i < count; i++)
    memcpy ((char *) data + i * bytes, nan[i] ? neutral.bytes : from + i * bytes, bytes);
  a.data = data;
  s->source = copy;
  if (divided)
    {
      if (a.complex && real)
        gpr_mx_narrow (&a, data);
      const gpr_piece *piece = s->x.data;
      s->piece = (gpr_piece) { .data = data, .starts = piece->starts, .outer = piece->outer };
      s->x.complex = a.complex;
      s->x.data = &s->piece;
      return;
    }
  if (s->x.home && count > 1)   /* gpr_mx_keep drops imaginary parts that are zero itself */
    {
      const gpr_choice home = { .backend = s->x.home, .device = s->x.device };
      gpr_array kept = s->x;
      s->source = gpr_mx_keep (c, &home, &kept, copy);
      gpr_mx_array (c, s->source, &a);
    }
  else if (a.complex)
    gpr_mx_narrow (&a, data);
  s->x = a;
}

/* From the first NaN of a row on, extremes are NaN, with its index.  */
static gpr_status
spread_nan (const scan *s)
{
  const gpr_scanning *p = &s->p;
  const bool *nan = mxGetData (s->absent);
  const size_t bytes = gpr_elem_bytes[p->elem];
  const int64_t columns = p->inner * p->outer;
  union { double d[2]; float f[2]; char bytes[16]; } missing = { { 0, 0 } };
  int64_t *first = malloc ((columns ? columns : 1) * sizeof *first);
  gpr_status status = GPR_OK;

  if (! first)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", columns * sizeof *first);
  if (s->x.class == GPR_CLASS_single)
    missing.f[0] = (float) gpr_make_nan ();
  else
    missing.d[0] = gpr_make_nan ();
  for (int64_t k = 0; k < columns; k++)
    {
      int64_t r = 0;
      while (r < s->rows && ! nan[k % p->inner + p->inner * (r + s->rows * (k / p->inner))])
        r++;
      first[k] = r < s->rows ? s->from + r + 1 : INT64_MAX;
    }
  if (gpr_is_divided (&s->x))
    status = gpr_world_combine (first, columns, sizeof *first, gpr_take_least);
  for (int64_t k = 0; k < columns && status == GPR_OK; k++)
    for (int64_t r = first[k] - 1 > s->from ? first[k] - 1 - s->from : 0; r < s->rows; r++)
      {
        const int64_t at = k % p->inner + p->inner * (r + s->rows * (k / p->inner));
        memcpy ((char *) p->y + at * bytes, missing.bytes, bytes);
        if (p->index)
          p->index[at] = (double) first[k];
      }
  free (first);
  return status;
}

/* Are there imaginary parts that are not 0, where X is not NaN?  */
static bool
any_imaginary (const mxArray *m, const bool *nan)
{
  const int64_t count = (int64_t) mxGetNumberOfElements (m);
  for (int64_t i = 0; i < count && mxIsComplex (m); i++)
    if (! nan[i] && (mxIsDouble (m) ? ((const double *) mxGetData (m))[2 * i + 1] : ((const float *) mxGetData (m))[2 * i + 1]) != 0)
      return true;
  return false;
}

static void
look_for_nan (const gpr_call *c, const gpr_request *q, scan *s)
{
  const bool floating = s->x.class == GPR_CLASS_double || s->x.class == GPR_CLASS_single;

  if (! floating || q->nan != (s->extreme ? GPR_NAN_INCLUDE : GPR_NAN_OMIT))
    return;
  const mxArray *host = gpr_mx_is_gpuarray (s->source) ? gpr_mx_call ("gather", 1, s->source, NULL) : s->source;
  s->absent = gpr_mx_call ("isnan", 1, host, NULL);
  int64_t any[2] = { memchr (mxGetData (s->absent), true, mxGetNumberOfElements (s->absent)) != NULL, 0 };
  if (gpr_is_divided (&s->x))
    {
      any[1] = any_imaginary (host, mxGetData (s->absent));
      gpr_raise_if (c, gpr_world_combine (any, 2, sizeof *any, gpr_add_integers));
    }
  if (! any[0])
    s->absent = NULL;
  else if (! s->extreme)
    replace_nan (c, s, host, ! any[1]);
}

/* ---- the call --------------------------------------------------------------------------- */

/* Of a piece on a device the results are made there.  */
static bool
is_on_device (const scan *s)
{
  return gpr_is_divided (&s->x) && gpr_on_device (s->x.data);
}

static void
create_outputs (const gpr_call *c, scan *s, bool there)
{
  gpr_array index = s->x;

  if (gpr_is_divided (&s->x))
    gpr_mx_part_sizes (c, &index);
  there = there && ! (s->x.complex && (gpr_is_divided (&s->x) || gpr_is_spread (&s->wanted)));
  const bool stays = gpr_array_numel (&index) > 1
                     && (gpr_is_divided (&s->x) ? is_on_device (s) && there : s->wanted.home && ! gpr_is_divided (&s->wanted));
  gpr_mx_output (&s->out[0], &index, stays, there);
  if (c->nlhs < 2)
    return;
  index.class = GPR_CLASS_double;
  index.complex = false;
  gpr_mx_output (&s->out[1], &index, stays, there);
}

/* Elements of another class on the host are made double tile by tile.  */
static gpr_status
scan_made (scan *s, const gpr_choice *choice, bool *scanned)
{
  gpr_map_step step[1];
  gpr_mapping m = { .rank = 1, .dims = { gpr_array_numel (&s->x) }, .leaves = 1, .x = { s->x.data }, .classes = { s->given }, .strides = { { 1 } },
                    .step = step, .class = GPR_CLASS_double };

  GPR_ADD_STEP (.op = GPR_MAP_load, GPR_OF_LEAF (0));
  s->p.terms = &m;
  const gpr_status status = choice->backend->scan (&s->p);
  *scanned = s->p.fused;
  s->p.terms = NULL;
  return status;
}

/* Or all before, where that is not done.  */
static void
make_all (const gpr_call *c, scan *s)
{
  s->x.class = s->given;
  s->source = gpr_mx_converted (c, s->source, GPR_CLASS_double, false, &s->x);
  s->given = GPR_CLASS_double;
}

/* Where it is chosen; of an X that waits, as its elements are made, where the backend does that and no result is in doubt.  */
static gpr_status
run (const gpr_call *c, scan *s, const gpr_choice *choice)
{
  gpr_resident *x = s->waits, *made = NULL;
  void *copy = NULL;
  bool scanned = false;
  gpr_status status = GPR_OK;

  if (! x && s->given != s->x.class)
    {
      status = scan_made (s, choice, &scanned);
      if (status == GPR_OK && ! scanned)
        make_all (c, s);
    }
  if (x && x->array.class != s->x.class)
    {
      status = gpr_expression_doubles (x, &made);
      x = made;
    }
  if (status == GPR_OK && gpr_takes_expression (&s->x, x, choice))
    status = gpr_expression_scan (x, &s->p, &scanned);
  if (status == GPR_OK && ! scanned)
    status = gpr_reach_waiting (&s->x, x, choice, &s->p.x, &s->p.x_resident, &copy);
  if (status == GPR_OK && ! scanned)
    status = choice->backend->scan (&s->p);
  free (copy);
  if (made)
    gpr_resident_drop (made);
  return status;
}

/* Along the divided dimension this rank has some rows; along another one its piece is an array of its own.  */
static void
divide (gpr_call *c, scan *s)
{
  const gpr_divided *d = c->divided;
  const gpr_piece *piece = s->x.data;

  c->divided->stays = GPR_ALL_STAY;
  s->from = d->starts[d->world.rank];
  s->rows = d->starts[d->world.rank + 1] - s->from;
  if (s->dim == d->dim + 1)
    return;
  if (! s->extreme && d->starts[d->world.size] > 1 && s->dim > d->dim + 1 && s->dim <= s->x.ndims && s->x.dims[s->dim - 1] > GPR_SCAN_SHORT)
    gpr_mx_not_last (c, "along a later one of more than 256 elements");         /* columns that others have decide on the order */
  s->from = 0;
  gpr_mx_part_sizes (c, &s->x);
  s->x.home = piece->home;
  s->x.device = d->device;
  s->x.data = (void *) (uintptr_t) piece->data;
  if (piece->home)
    s->wanted = s->x;
  else
    c->device = (gpr_device_request) { .want = GPR_WANT_CPU };
}

/* To where the outputs of a call that began at start are.  */
static gpr_status
run_to_outputs (const gpr_call *c, scan *s, const gpr_choice *choice, const gpr_choice *home, double start)
{
  gpr_status status = gpr_outputs_allocate (s->out, 2, home);
  s->p.y = s->out[0].data;
  s->p.index = s->out[1].data;
  s->p.out_resident = s->out[0].resident;
  if (status == GPR_OK && gpr_array_numel (&s->x) > 0)
    status = run (c, s, choice);
  if (status == GPR_OK && s->extreme && s->absent)
    status = spread_nan (s);
  status = gpr_outputs_finish (s->out, 2, home, status);
  gpr_note_call (c, choice, start, NULL);
  return status;
}

void
gpr_run_scan (gpr_call *c, gpr_request *q)
{
  const double start = gpr_now_ms ();
  const gpr_operator *o = &gpr_operators[q->op];
  scan s = scan_of (o);

  const gpr_call as_given = *c;
  gpr_take_nanflag (c, q);
  if (! take_arguments (c, o, q, &s))
    {
      if (q->nan != GPR_NAN_DEFAULT && ! gpr_rule_holds (o->builtin_takes.options))
        gpr_mx_invalid (c, "a nanflag goes with a full numeric X and a dimension");
      gpr_mx_ask_builtin (&as_given);
      return;
    }
  s.wanted = s.x;
  look_for_nan (c, q, &s);
  if (gpr_is_divided (&s.x))
    divide (c, &s);
  shape (&s);
  if (! gpr_is_divided (&s.x))
    s.rows = s.p.length;
  const gpr_choice choice = gpr_mx_choose (c, &s.x, NULL, GPR_WORK_SCAN, s.p.inner);
  if (s.given != s.x.class && choice.backend != &gpr_cpu_backend)
    make_all (c, &s);
  create_outputs (c, &s, ! (s.extreme && s.absent));
  const gpr_choice there = { .backend = c->divided ? c->divided->home : NULL, .device = c->divided ? c->divided->device : 0 };
  const gpr_choice *home = is_on_device (&s) ? &there : &choice;        /* of the results */

  const gpr_status status = run_to_outputs (c, &s, &choice, home, start);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  for (int i = 0; i < (c->nlhs > 1 ? 2 : 1); i++)
    gpr_mx_deliver (c, &c->plhs[i], home, &s.out[i]);
}

/* ---- the usual call ---------------------------------------------------------------------- */

/* As gpr_run_scan, of what needs no call of Octave's.  */
gpr_status
gpr_scan_usual (const char *name, int outputs, gpr_resident *x, int64_t dim, double ids[2])
{
  const double start = gpr_now_ms ();
  const gpr_array *a = &x->array;
  gpr_call c = { .nlhs = outputs };
  gpr_op op;
  gpr_choice choice;

  ids[0] = ids[1] = 0;
  if (gpr_is_spread (a) || gpr_array_numel (a) < 2 || a->class == GPR_CLASS_char || ! gpr_operator_find (name, &op))
    return GPR_OK;
  const gpr_operator *o = &gpr_operators[op];
  scan s = scan_of (o);
  s.x = s.wanted = *a;
  s.given = a->class;
  s.waits = x->node ? x : NULL;
  s.dim = dim > 0 ? dim : gpr_default_dim (a, false) + 1;
  if (o->engine != GPR_ENGINE_SCAN || outputs > o->max_outputs || ! takes_class (&s))
    return GPR_OK;
  gpr_status status = gpr_choose (c.device, a->home, a->device, NULL, NULL, &choice);
  if (status != GPR_OK)
    return status;
  snprintf (c.caller, sizeof c.caller, "gpu_%s", name);
  shape (&s);
  for (int i = 0; i < outputs; i++)
    s.out[i] = (gpr_output) { .array = *a, .resident = true };
  if (outputs > 1)
    {
      s.out[1].array.class = GPR_CLASS_double;
      s.out[1].array.complex = false;
    }
  status = run_to_outputs (&c, &s, &choice, &choice, start);
  for (int i = 0; i < outputs && status == GPR_OK; i++)
    ids[i] = s.out[i].id;
  return status;
}
