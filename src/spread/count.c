/* Counts of divided arrays, as problems.c.  */

#include <stdatomic.h>
#include <stdlib.h>

#include "../dispatch/cuda_module.h"
#include "division.h"

static gpr_status
count_alone (gpr_part *p, gpr_counting *own)
{
  gpr_status status = GPR_OK;

  own->outer = p->outer;
  if (gpr_part_is_made (p, &own->terms, &own->x, &own->x_resident))
    return gpr_cuda ()->backend.count (own);
  for (const gpr_backend *b = NULL; gpr_part_next (p, &b, &own->x, &own->x_resident, &status); )
    status = b->count (own);
  return status;
}

static gpr_status
count_together (gpr_part *p, gpr_counting *own)
{
  own->x = &p->piece;
  own->x_resident = false;
  return gpr_ranks_count (own);
}

typedef struct { gpr_counting c; void *places; bool resident; atomic_bool unfused; } counting;

static gpr_status
count_part (gpr_part *p, void *problem)
{
  counting *g = problem;
  gpr_counting own = g->c;
  const int64_t bytes = sizeof *own.counts, each = own.inner * own.bins * bytes;
  gpr_results counts;
  gpr_placed places;
  void *bin_of = NULL;
  gpr_status status = gpr_results_open (&counts, p, own.counts, each * own.outer, each);

  gpr_placed_open (&places, p, g->places, g->resident, bytes);
  if (status == GPR_OK)
    status = gpr_placed_at (&places, false, &bin_of);
  own.counts = counts.at;
  own.bin_of = bin_of;
  if (status == GPR_OK)
    status = p->together ? count_together (p, &own) : count_alone (p, &own);
  if (p->piece.making && ! own.fused)
    g->unfused = true;
  free (counts.own);
  return gpr_placed_close (&places, status);
}

static gpr_status
count (gpr_counting *c)
{
  counting g = { *c, c->bin_of, c->out_resident, false };
  const int64_t bytes = gpr_elem_bytes[c->elem];
  gpr_kept counts;

  gpr_status status = gpr_kept_open (&counts, c->counts, c->out_resident, c->inner * c->bins * c->outer * (int64_t) sizeof *c->counts);
  g.c.counts = counts.host;
  g.c.out_resident = false;
  if (status == GPR_OK && c->bin_of && c->out_resident && c->x_resident)
    status = gpr_spread_as (g.places, c->x, sizeof (double), bytes);
  const gpr_division d = gpr_division_of (c->x, c->x_resident, NULL, bytes, c->inner, c->length, c->outer);
  if (status == GPR_OK)
    status = gpr_division_run (&d, count_part, &g);
  c->fused = ! g.unfused;
  return gpr_kept_close (&counts, status);
}

/* c->fused <- false: the expression is to be computed first, since it lies otherwise, or some GPU has no kernel yet.  */
static gpr_status
count_terms (gpr_counting *c)
{
  gpr_counting own = *c;
  gpr_terms *t;
  gpr_status status = c->bin_of ? GPR_UNSUPPORTED : gpr_terms_open_alone (&t, c->terms);

  c->fused = false;
  if (status != GPR_OK)
    return status == GPR_UNSUPPORTED ? GPR_OK : status;
  own.terms = NULL;
  own.x = &t->z;
  own.x_resident = true;
  if (gpr_division_of (own.x, true, NULL, t->elem_bytes, c->inner, c->length, c->outer).how != GPR_DIVIDED_ANYHOW)
    {
      status = count (&own);
      c->fused = status == GPR_OK && own.fused && ! t->left;
    }
  gpr_terms_close (t);
  return status == GPR_UNSUPPORTED ? GPR_OK : status;
}

gpr_status
gpr_spread_count (gpr_counting *c)
{
  return c->terms ? count_terms (c) : count (c);
}
