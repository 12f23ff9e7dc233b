/* What functions that make histograms ask of their arguments.  */

#include <stdio.h>
#include <stdlib.h>

#include "bins.h"

bool
gpr_mx_is_real (const gpr_call *c, const mxArray *m)
{
  gpr_array a;
  if (gpr_mx_is_gpuarray (m))
    return gpr_mx_look (c, m, &a, NULL) && ! a.complex;
  return (mxIsNumeric (m) || mxIsLogical (m) || mxIsChar (m)) && ! mxIsComplex (m);
}

const mxArray *
gpr_mx_full (const gpr_call *c, const mxArray *m, gpr_array *x)
{
  if (mxIsSparse (m))
    m = gpr_mx_call ("full", 1, m, NULL);
  if (! gpr_mx_look (c, m, x, NULL))
    gpr_mx_invalid (c, "an argument has more than %d dimensions", GPR_MAX_DIMS);
  return m;
}

const mxArray *
gpr_mx_reals (const gpr_call *c, const mxArray *m, gpr_class class)
{
  gpr_array a;
  m = gpr_mx_full (c, m, &a);
  return gpr_mx_converted (c, m, class, false, &a);
}

/* NaN come last.  */
#define DEFINE_ASCENDS(T) \
  static bool \
  ascends_##T (const T *v, size_t n) \
  { \
    for (size_t i = 1; i < n; i++) \
      if (! (v[i - 1] <= v[i]) && v[i] == v[i]) \
        return false; \
    return true; \
  }
DEFINE_ASCENDS (double)
DEFINE_ASCENDS (float)

bool
gpr_mx_is_sorted (const mxArray *m)
{
  const size_t n = mxGetNumberOfElements (m);
  const int64_t column[2] = { (int64_t) n, 1 };

  if (mxIsDouble (m))
    return ascends_double (mxGetData (m), n);
  if (mxIsSingle (m))
    return ascends_float (mxGetData (m), n);
  return mxIsLogicalScalarTrue (gpr_mx_call ("issorted", 1, gpr_mx_reshaped (m, 2, column), NULL));
}

const mxArray *
gpr_mx_sorted (const mxArray *m)
{
  const int64_t column[2] = { (int64_t) mxGetNumberOfElements (m), 1 };
  return gpr_mx_call ("sort", 1, gpr_mx_reshaped (m, 2, column), NULL);
}

/* ---- X, which may wait ------------------------------------------------------------- */

gpr_resident *
gpr_mx_waiting (const gpr_call *c, const mxArray *m, gpr_array *x)
{
  gpr_array now;
  gpr_resident *waits;

  gpr_mx_look (c, m, &now, &waits);
  x->data = now.data;
  return waits;
}

void
gpr_mx_settle (const gpr_call *c, const mxArray *m, gpr_array *x)
{
  gpr_array now;
  gpr_mx_array (c, m, &now);
  x->data = now.data;
}

void
gpr_mx_expect_readings (const gpr_call *c, const mxArray *m, gpr_array *x, int readings)
{
  const gpr_resident *waits = gpr_mx_waiting (c, m, x);
  if (waits && ! gpr_expression_is_cheap (waits, readings))
    gpr_mx_settle (c, m, x);
}

/* By the chosen backend, of x wherever it lies; of what it waits for, since more readings of it are to come.  */
static gpr_status
reduce (gpr_array *x, gpr_resident *waits, const gpr_choice *choice, gpr_reduction *r)
{
  void *copy = NULL;
  bool reduced = false;
  gpr_status status = GPR_OK;

  if (gpr_takes_expression (x, waits, choice))
    status = gpr_expression_reduce (waits, r, true, &reduced);
  if (status != GPR_OK || reduced)
    return status;
  status = gpr_reach_waiting (x, waits, choice, &r->x, &r->x_resident, &copy);
  if (status == GPR_OK)
    status = gpr_reduce (choice->backend, r);
  free (copy);
  return status;
}

void
gpr_mx_extremes (const gpr_call *c, const mxArray *m, gpr_array *x, double *low, double *high)
{
  union { double d[2]; int64_t i[2]; } v = { { 0, 0 } };        /* of x's class */
  gpr_question q = { .op = GPR_OP_BOUNDS, .class = x->class >= GPR_CLASS_logical ? GPR_CLASS_uint8 : x->class, .n = gpr_array_numel (x) };
  gpr_resident *waits = gpr_mx_waiting (c, m, x);
  gpr_plan p;

  gpr_plan_make (&q, &p);
  gpr_reduction r = { .instance = p.instance, .inner = 1, .length = q.n, .outer = 1, .x = x->data, .value = &v };
  const gpr_array both = { .class = p.raw_class, .data = &v };
  const gpr_choice choice = gpr_mx_choose_reduction (c, x, NULL, &r);
  const double start = gpr_now_ms ();
  const gpr_status status = reduce (x, waits, &choice, &r);
  gpr_pace_note (&choice.paced, gpr_now_ms () - start);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
  *low = gpr_array_element (&both, 0);
  *high = gpr_array_element (&both, 1);
}

/* ---- Octave's words ----------------------------------------------------------------- */

void
gpr_mx_warn (const gpr_call *c, const char *text)
{
  char whole[200];
  snprintf (whole, sizeof whole, "%s: %s", c->caller, text);
  mxArray *in[1] = { mxCreateString (whole) };
  mexCallMATLAB (0, NULL, 1, in, "warning");
}

void
gpr_mx_no_char_pages (const gpr_call *c, int first)
{
  for (int i = first; i < c->nrhs; i++)
    if (mxIsChar (c->rhs[i]))   /* only then: a gpuArray that waits would be computed */
      {
        gpr_array a;            /* of a piece, the whole array */
        const int dims = gpr_mx_array (c, c->rhs[i], &a) ? a.ndims : (int) mxGetNumberOfDimensions (c->rhs[i]);
        if (dims > 2)
          gpr_mx_invalid (c, "a char array of %d dimensions cannot be used here", dims);
      }
}
