/* What functions that make histograms ask of their arguments.  */

#include <stdio.h>
#include <stdlib.h>

#include "bins.h"

bool
gpr_mx_is_real (const gpr_call *c, const mxArray *m)
{
  gpr_array a;
  if (gpr_mx_is_gpuarray (m))
    return gpr_mx_array (c, m, &a) && ! a.complex;
  return (mxIsNumeric (m) || mxIsLogical (m) || mxIsChar (m)) && ! mxIsComplex (m);
}

const mxArray *
gpr_mx_full (const gpr_call *c, const mxArray *m, gpr_array *x)
{
  if (mxIsSparse (m))
    m = gpr_mx_call ("full", 1, m, NULL);
  if (! gpr_mx_array (c, m, x))
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

/* By the chosen backend, of x wherever it lies.  */
static gpr_status
reduce_to_one (const gpr_choice *choice, gpr_reduction *r, const gpr_plan *p, double *value)
{
  union { double d; int64_t i; float f; } v;
  const gpr_array one = { .class = p->raw_class, .data = &v };

  r->instance = p->instance;
  r->value = &v;
  gpr_status status = gpr_reduce (choice->backend, r);
  *value = status == GPR_OK ? gpr_array_element (&one, 0) : 0;
  return status;
}

void
gpr_mx_extremes (const gpr_call *c, const gpr_array *x, double *low, double *high)
{
  gpr_reduction r = { .inner = 1, .length = gpr_array_numel (x), .outer = 1, .x = x->data };
  gpr_question q = { .op = GPR_OP_MIN, .class = x->class >= GPR_CLASS_logical ? GPR_CLASS_uint8 : x->class, .n = r.length };
  gpr_plan least, most;
  void *copy;

  gpr_plan_make (&q, &least);
  q.op = GPR_OP_MAX;
  gpr_plan_make (&q, &most);
  r.instance = least.instance;
  const gpr_choice choice = gpr_mx_choose_reduction (c, x, NULL, &r);

  gpr_status status = gpr_reach (x, &choice, &r.x, &r.x_resident, &copy);
  if (status == GPR_OK)
    status = reduce_to_one (&choice, &r, &least, low);
  if (status == GPR_OK)
    status = reduce_to_one (&choice, &r, &most, high);
  free (copy);
  if (status != GPR_OK)
    gpr_mx_raise (c, status);
}

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
    if (mxIsChar (c->rhs[i]) && mxGetNumberOfDimensions (c->rhs[i]) > 2)
      gpr_mx_invalid (c, "a char array of %d dimensions cannot be used here", (int) mxGetNumberOfDimensions (c->rhs[i]));
}
