/* dot (x, y, dim): the sum of conj (x) .* y, of floats in one reading of both; integers are
   multiplied first.  */

#include <string.h>

#include "divided.h"
#include "request.h"

/* Was gpuArray, or shall be one beside it.  */
static mxArray *
beside (bool resident, mxArray *z)
{
  return resident && ! gpr_mx_is_gpuarray (z) && mxGetNumberOfElements (z) != 1 ? gpr_mx_call ("gpuArray", 1, z, NULL) : z;
}

static const mxArray *
on_host (const mxArray *m)
{
  return gpr_mx_is_gpuarray (m) ? gpr_mx_call ("gather", 1, m, NULL) : m;
}

static bool
is_vector (const gpr_array *a)
{
  return a->ndims == 2 && (a->dims[0] == 1 || a->dims[1] == 1);
}

/* X, Y and DIM as ours to compute; the built-in refuses others, and answers for sparse and
   empty arrays.  */
static bool
take_arguments (const gpr_call *c, gpr_array *x, gpr_array *y, gpr_request *q)
{
  if (c->nlhs > 1 || c->nrhs < 2 || c->nrhs > 3 || ! gpr_mx_array (c, c->rhs[0], x) || ! gpr_mx_array (c, c->rhs[1], y)
      || x->class >= GPR_CLASS_logical || y->class >= GPR_CLASS_logical || gpr_array_numel (x) == 0 || gpr_array_numel (y) == 0)
    return false;
  const bool real = ! x->complex && ! y->complex;
  const int integers = gpr_class_is_integer (x->class) + gpr_class_is_integer (y->class);
  if (integers == 1 ? ! real : integers == 2 && x->class != y->class)
    return false;
  if (c->nrhs == 3)
    {
      q->which = GPR_DIM_LIST;
      q->ndims = 1;
      return gpr_array_same_sizes (x, y) && mxIsNumeric (c->rhs[2]) && gpr_mx_count (c->rhs[2], q->dims);
    }
  const bool vectors = is_vector (x) && is_vector (y);
  q->which = vectors ? GPR_DIM_ALL : GPR_DIM_DEFAULT;
  return vectors ? gpr_array_numel (x) == gpr_array_numel (y) : gpr_array_same_sizes (x, y);
}

/* The products in their class, rounded and saturating, and their sum.  */
static void
sum_of_integers (gpr_call *c, const gpr_array *x, const gpr_array *y, const gpr_request *q)
{
  mxArray *products;
  gpr_call sub = *c;

  if (x->class == y->class && x->home && y->home && ! c->divided && gpr_array_same_sizes (x, y))
    {
      sub.nlhs = 1;
      sub.nrhs = 2;
      sub.plhs = &products;
      gpr_mx_times (&sub);
    }
  else
    {
      const mxArray *a = on_host (c->rhs[0]), *b = on_host (c->rhs[1]);
      products = gpr_mx_call ("times", 2, a, gpr_array_same_sizes (x, y) ? b : gpr_mx_reshaped (b, x->ndims, x->dims));
      gpr_mx_divided_alike (c, c->rhs[0], products);
    }
  sub = *c;
  sub.nrhs = 1;
  sub.rhs[0] = products;
  if (q->which == GPR_DIM_LIST)
    sub.rhs[sub.nrhs++] = c->rhs[2];
  else if (c->divided && q->which == GPR_DIM_ALL)       /* the divided dimension, too, of one column */
    sub.rhs[sub.nrhs++] = mxCreateString ("all");
  sub.builtin = gpr_operators[GPR_OP_SUM].builtin;
  gpr_run_operator (&sub, GPR_OP_SUM);
}

void
gpr_mx_dot (gpr_call *c)
{
  gpr_request q = { .op = GPR_OP_SUM };
  gpr_array x, y;

  c->builtin = "dot";
  gpr_mx_take_device (c);
  gpr_take_exact (c, &q);
  gpr_mx_gather_from (c, 2);
  for (int i = 0; i < c->nrhs && q.exact; i++)
    if (mxIsSparse (c->rhs[i]))
      c->rhs[i] = gpr_mx_call ("full", 1, c->rhs[i], NULL);
  if (! take_arguments (c, &x, &y, &q))
    {
      gpr_mx_ask_builtin (c);
      return;
    }
  const bool resident = (x.home || y.home) && ! c->divided;
  if (gpr_class_is_integer (x.class) || gpr_class_is_integer (y.class))
    sum_of_integers (c, &x, &y, &q);
  else
    {
      /* As the built-in: both single, both complex, all four products.  */
      const gpr_class class = x.class == y.class ? x.class : GPR_CLASS_single;
      const bool complex = x.complex || y.complex;
      q.x = gpr_mx_converted (c, c->rhs[0], class, complex, &x);
      q.y = gpr_mx_converted (c, c->rhs[1], class, complex, &y);
      gpr_run_reduction (c, &q);
    }
  if (! gpr_mx_is_promised (c, 0))
    c->plhs[0] = beside (resident, c->plhs[0]);
}
