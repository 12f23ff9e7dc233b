/* Reductions of an array that is divided over ranks.  */

#include "divided.h"
#include "reduction.h"

bool
gpr_reduces (const gpr_running *w, int dim)
{
  const gpr_request *q = w->q;
  if (q->which == GPR_DIM_ALL)
    return true;
  if (q->which == GPR_DIM_DEFAULT)
    return gpr_default_dim (&w->x, w->o->long_dim) == dim;
  for (int i = 0; i < q->ndims; i++)
    if (q->dims[i] == dim + 1)
      return true;
  return false;
}

/* The last of the reduced dimensions that are longer than 1, if it is after this one; else this one.  */
static int
last_reduced (const gpr_running *w, int dim)
{
  int last = dim;
  for (int d = dim + 1; d < w->x.ndims; d++)
    if (w->x.dims[d] != 1 && gpr_reduces (w, d))
      last = d;
  return last;
}

/* From the GPU, if they are there: only the CPU makes the tree of a part of the whole array's columns.  */
static void
bring_here (gpr_running *w)
{
  gpr_request *q = w->q;
  gpr_call plain = *w->c;

  plain.divided = NULL;
  if (w->x.home)
    gpr_mx_array (&plain, q->x = gpr_mx_call ("gather", 1, q->x, NULL), &w->x);
  if (q->y && w->y.home)
    gpr_mx_array (&plain, q->y = gpr_mx_call ("gather", 1, q->y, NULL), &w->y);
}

/* Whether the listed dimensions of x that are longer than 1 all come after dim, which is from 0.  */
static bool
is_below (const gpr_request *q, const gpr_array *x, int dim)
{
  for (int i = 0; i < q->ndims; i++)
    if (q->dims[i] <= dim && q->dims[i] <= x->ndims && x->dims[q->dims[i] - 1] != 1)
      return false;
  return true;
}

/* X is divided along a dimension that is not reduced: from here on this rank's piece is an array of its own, with the tree of the whole one.  */
static void
reduce_here (gpr_running *w)
{
  gpr_call *c = w->c;
  gpr_request *q = w->q;
  const gpr_divided *d = c->divided;
  const gpr_array whole = w->x;
  const gpr_operator *o = w->o;
  const gpr_shape of_all = w->shape;
  gpr_shape *s = &w->shape;
  const int64_t all = d->starts[d->world.size], from = d->starts[d->world.rank], own = d->starts[d->world.rank + 1] - from;
  int64_t below = 1;

  if (q->which == GPR_DIM_DEFAULT)
    {
      q->which = GPR_DIM_LIST;
      q->ndims = 1;
      q->dims[0] = gpr_default_dim (&whole, o->long_dim) + 1;
    }
  gpr_mx_here (c, q->x, &w->x);
  if (q->y)
    gpr_mx_here (c, q->y, &w->y);
  for (int k = 0; k < d->dim; k++)
    below *= whole.dims[k];
  w->index_from = from * below;
  w->slab = own * below;
  w->skipped = (all - own) * below;
  /* Dimensions are adjacent as in the whole array, also where this rank has one index.  */
  const bool inside = ! s->scattered && is_below (q, &whole, d->dim);
  int64_t *divided = inside ? &s->inner : &s->outer;
  *divided = *divided / all * own;
  gpr_mx_part_sizes (c, &s->out);
  w->whole_outer = of_all.outer;
  c->divided->stays = GPR_ALL_STAY;
  if (inside && of_all.inner != s->inner)
    {
      w->whole_inner = of_all.inner;
      bring_here (w);
    }
  w->wanted = w->x;
  if (! w->x.home)
    c->device = (gpr_device_request) { .want = GPR_WANT_CPU };
}

void
gpr_divide_reduction (gpr_running *w)
{
  gpr_call *c = w->c;
  const int dim = c->divided->dim;

  if (! gpr_is_divided (&w->x))
    gpr_mx_not_yet (c, "such an array does");
  const int last = last_reduced (w, dim);
  if (! gpr_reduces (w, dim))
    reduce_here (w);
  else if (last != dim && c->divided->world.size > 1)
    w->x.data = gpr_mx_redivided (c, &w->x, last, &w->q->x, &w->other);
}
