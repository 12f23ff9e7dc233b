/* Reductions of divided arrays: together as ranks, or each GPU its own outer indices.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../core/partial.h"
#include "../cpu/cpu.h"
#include "../cpu/part.h"
#include "../dispatch/cuda_module.h"
#include "division.h"

/* ---- reductions --------------------------------------------------------------------------- */

typedef struct { gpr_reduction *r; atomic_bool needs_fixup, unfused; } reducing;

static gpr_status
reduce_alone (gpr_part *p, gpr_reduction *own)
{
  gpr_status status = GPR_OK;

  own->whole_outer = own->whole_outer ? own->whole_outer : own->outer;
  own->inner = p->columns;
  own->outer = p->outer;
  if (gpr_part_is_made (p, &own->terms, &own->x, &own->x_resident))
    return gpr_cuda ()->backend.reduce (own);
  for (const gpr_backend *b = NULL; gpr_part_next (p, &b, &own->x, &own->x_resident, &status); )
    {
      own->y = p->factor.data;
      status = own->exact ? b->exact (own) : b->reduce (own);
    }
  return status;
}

static gpr_status
reduce_together (gpr_part *p, gpr_reduction *own)
{
  own->x = &p->piece;
  own->y = own->y ? &p->factor : NULL;
  own->x_resident = false;
  own->terms = NULL;            /* the piece has them */
  return own->exact ? gpr_ranks_backend.exact (own) : gpr_ranks_reduce (own);
}

static gpr_status
reduce_part (gpr_part *p, void *problem)
{
  reducing *g = problem;
  gpr_reduction own = *g->r;
  const int64_t value_bytes = gpr_instances[own.instance].value_bytes, index_bytes = sizeof *own.index, outputs = own.inner * own.outer;
  gpr_results value, index = { NULL, NULL };
  gpr_status status = gpr_results_open (&value, p, own.value, outputs * value_bytes, own.inner * value_bytes);

  if (status == GPR_OK)
    status = gpr_results_open (&index, p, own.index, outputs * index_bytes, own.inner * index_bytes);
  own.value = value.at;
  own.index = index.at;
  if (status == GPR_OK)
    status = p->together ? reduce_together (p, &own) : reduce_alone (p, &own);
  if (status == GPR_OK && own.needs_fixup)
    g->needs_fixup = true;
  if (own.terms && ! own.fused)
    g->unfused = true;
  free (value.own);
  free (index.own);
  return status;
}

/* Products that leave the range are done again in the built-in's order: of many outputs, whose elements lie apart, in one copy.  Where there is no memory for
   it r->needs_fixup stays, and they are done one after the other.  */
static gpr_status
products_of_copy (gpr_part *p, void *problem)
{
  gpr_reduction *r = problem, own = *r;

  own.x = p->piece.data;
  own.x_resident = gpr_on_device (&p->piece);
  own.needs_fixup = false;
  const gpr_status status = gpr_reduce (own.x_resident ? p->piece.home : &gpr_cpu_backend, &own);
  if (status == GPR_OK)
    r->needs_fixup = false;
  return status;
}

static gpr_status
products_again (gpr_reduction *r, gpr_division d)
{
  d.how = GPR_DIVIDED_ANYHOW;
  d.if_room = true;
  return gpr_division_run (&d, products_of_copy, r);
}

static bool
brings_products (const gpr_reduction *r)
{
  return r->needs_fixup && ! r->terms && (gpr_instances[r->instance].traits & GPR_FIXUP_MASK) == GPR_FIXUP_PRODUCT && r->inner * r->outer > 1 && ! r->y;
}

static gpr_division
division_of (const gpr_reduction *r)
{
  gpr_division d = gpr_division_of (r->x, r->x_resident, r->y, gpr_instances[r->instance].elem_bytes, r->inner, r->length, r->outer);
  if (r->exact && d.how == GPR_DIVIDED_ALONG && gpr_deals_exact (r, d.x->count))
    d.by = GPR_DEALT_OUT;
  return d;
}

/* To the host.  leaves: it is known that products leave the range.  */
static gpr_status
reduce (gpr_reduction *r, bool leaves)
{
  reducing g = { r, false, false };
  const gpr_division d = division_of (r);
  gpr_status status = GPR_UNSUPPORTED;

  if (! r->x_resident)
    return r->exact ? gpr_cpu_backend.exact (r) : gpr_cpu_backend.reduce (r);
  if (leaves)
    status = products_again (r, d);
  if (status != GPR_UNSUPPORTED && status != GPR_OUT_OF_MEMORY)
    return status;
  status = GPR_UNSUPPORTED;
  if (gpr_spread_is_wide (r, &d))
    status = gpr_spread_reduce_wide (r, &d);
  if (status == GPR_UNSUPPORTED || status == GPR_OUT_OF_MEMORY)
    {
      status = gpr_division_run (&d, reduce_part, &g);
      r->needs_fixup = g.needs_fixup;
      r->fused &= ! g.unfused;
    }
  if (status != GPR_OK || leaves || ! brings_products (r))
    return status;
  status = products_again (r, d);
  return status == GPR_OUT_OF_MEMORY ? GPR_OK : status;
}

/* ---- results that stay on the first GPU ------------------------------------------------------ */

/* Room for a result there; *own: where.  */
static gpr_status
place (void *result, int device, int64_t bytes, void **own)
{
  gpr_pieces *z = result;
  gpr_status status = GPR_OK;

  if (! z)
    return GPR_OK;
  z->first = device;
  status = gpr_spread_divide (z, &z->first, 1, 1, bytes);
  *own = z->at[0];
  return status;
}

/* Of many outputs.  GPR_OUT_OF_MEMORY, GPR_UNSUPPORTED: they come by way of the host; needs_fixup: since products leave the range.  */
static gpr_status
reduce_there (gpr_reduction *r)
{
  const gpr_division d = division_of (r);
  const int64_t outputs = r->inner * r->outer;
  gpr_reduction own = *r;
  void *index = NULL;

  if (! r->x_resident || ! gpr_spread_is_wide (r, &d))
    return GPR_UNSUPPORTED;
  gpr_status status = place (r->value, d.x->device[0], outputs * gpr_instances[r->instance].value_bytes, &own.value);
  if (status == GPR_OK)
    status = place (r->index, d.x->device[0], outputs * (int64_t) sizeof (double), &index);
  own.index = index;
  if (status == GPR_OK)
    status = gpr_spread_reduce_wide (&own, &d);
  r->needs_fixup = own.needs_fixup;
  return status == GPR_OK && brings_products (r) ? GPR_UNSUPPORTED : status;
}

static gpr_status
reduce_and_bring (gpr_reduction *r, bool leaves)
{
  const int64_t outputs = r->inner * r->outer, bytes = outputs * gpr_instances[r->instance].value_bytes;
  gpr_reduction own = *r;
  gpr_kept value, index = { .given = NULL };
  gpr_status status = gpr_kept_open (&value, r->value, true, bytes);

  if (status == GPR_OK)
    status = gpr_kept_open (&index, r->index, true, outputs * (int64_t) sizeof *r->index);
  own.value = value.host;
  own.index = index.host;
  own.out_resident = own.rows = false;
  if (status == GPR_OK)
    status = reduce (&own, leaves);
  r->needs_fixup = own.needs_fixup;
  r->fused = own.fused;
  for (int64_t i = 0; i < outputs && status == GPR_OK && own.index && r->rows; i++)
    {
      const double row = (double) own.index[i] + 1;
      memcpy (&own.index[i], &row, sizeof row);
    }
  status = gpr_kept_close (&value, status);
  return gpr_kept_close (&index, status);
}

static gpr_status
reduce_anywhere (gpr_reduction *r)
{
  if (! r->out_resident)
    return reduce (r, false);
  r->needs_fixup = false;
  const gpr_status status = reduce_there (r);
  return status == GPR_UNSUPPORTED || status == GPR_OUT_OF_MEMORY ? reduce_and_bring (r, r->needs_fixup) : status;
}

/* ---- of expressions ---------------------------------------------------------------------------- */

typedef struct { const gpr_reduction *r; const gpr_division *d; gpr_tree tree; int some; bool can; } asking;

/* A GPU that has whole parts: whether it makes the elements where it reduces them; its kernel is compiled from here on.  */
static gpr_status
ask (void *of, int k)
{
  asking *g = of;
  const gpr_division *d = g->d;
  const gpr_span rows = gpr_span_of (d->starts, k), shared = gpr_rows_shared (rows, g->tree.rows, d->length);
  const gpr_span parts = gpr_parts_owned (rows, g->tree.rows);
  const int64_t end = parts.end - (shared.end > shared.first);
  bool can = false;
  gpr_partial p = { .r = *g->r, .tree = g->tree, .acc_bytes = gpr_instances[g->r->instance].acc_bytes, .first_row = rows.first, .first = parts.first,
                    .count = 1, .end = &end, .asked = &can };

  if (end <= parts.first || ! gpr_is_for_device ((rows.end - rows.first) * d->inner * d->elem_bytes))
    return GPR_OK;
  p.r.x = NULL;
  p.r.terms = &d->x->terms->of[k];
  const gpr_status status = gpr_cuda ()->backend.partial_begin (&p);
  g->some++;
  g->can &= can;
  return status == GPR_UNSUPPORTED ? GPR_OK : status;
}

/* Parts that GPUs have for themselves are to be reduced as they are made, or none: who waits for another's kernel would hold up all.  */
static gpr_status
can_fuse (const gpr_reduction *r, bool *can)
{
  const gpr_division d = division_of (r);
  asking g = { r, &d, gpr_cpu_job_of (r).tree, 0, true };
  gpr_status status = GPR_OK;

  *can = d.how == GPR_DIVIDED_OUTER;
  if (d.how != GPR_DIVIDED_ALONG)
    return GPR_OK;
  status = gpr_spread_each (d.x, 0, ask, &g);
  *can = g.some > 0 && g.can;
  return status;
}

/* r->fused <- false: the expression is to be computed first, and nothing is done.  */
static gpr_status
reduce_terms (gpr_reduction *r)
{
  gpr_reduction own = *r;
  gpr_terms *t;
  bool can = false;
  gpr_status status = r->index || r->y || r->apart ? GPR_UNSUPPORTED : gpr_terms_open_alone (&t, r->terms);

  r->fused = false;
  if (status != GPR_OK)
    return status == GPR_UNSUPPORTED ? GPR_OK : status;
  own.x = &t->z;
  own.x_resident = own.fused = true;
  status = can_fuse (&own, &can);
  if (status == GPR_OK && can)
    status = reduce_anywhere (&own);
  r->fused = status == GPR_OK && can && own.fused && ! t->left;
  r->needs_fixup = own.needs_fixup;
  gpr_terms_close (t);
  return status == GPR_UNSUPPORTED ? GPR_OK : status;   /* the host reduces what is computed */
}

gpr_status
gpr_spread_reduce (gpr_reduction *r)
{
  return r->terms ? reduce_terms (r) : reduce_anywhere (r);
}

gpr_status
gpr_spread_exact (gpr_reduction *r)
{
  return reduce_anywhere (r);
}

gpr_status
gpr_spread_column (const gpr_reduction *r, int64_t output, void *elements)
{
  const int64_t bytes = gpr_instances[r->instance].elem_bytes, c = output % r->inner, o = output / r->inner, slab = r->inner * r->length * bytes;
  char *host = malloc ((size_t) slab + 1);
  gpr_status status = host ? gpr_spread_read (r->x, o * slab, slab, host) : gpr_spread_no_memory (slab);

  for (int64_t k = 0; k < r->length && status == GPR_OK; k++)
    memcpy ((char *) elements + k * bytes, host + (c + r->inner * k) * bytes, (size_t) bytes);
  free (host);
  return status;
}
