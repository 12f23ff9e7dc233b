/* A reduction over the divided dimension that has many outputs: their accumulators are too many to go through the host.

   Each GPU reduces the parts of the tree whose first rows it has, and puts their accumulators into memory of the first one, which merges them as if
   it had had all rows.  The rows of a part that lie on others are copied to it: of an expression only these are in memory, those of each GPU at the edges of its
   piece.  Where GPUs do not reach each other's memory, or it is short,
   they work as ranks.  */

#include <string.h>

#include "../core/partial.h"
#include "../cpu/cpu.h"
#include "../cpu/part.h"
#include "../dispatch/cuda_module.h"
#include "../ranks/parts.h"
#include "division.h"

enum { LEAST = 1 << 13 };       /* bytes of an output's accumulators, all together; an estimate */

/* The last part of a GPU, of which others have rows.  */
typedef struct { gpr_span rows; int64_t bytes; void *memory[2]; } shared_part;

typedef struct {
  const gpr_division *d;
  gpr_reduction r;
  gpr_tree tree;
  int acc_bytes;
  int64_t row_bytes;
  gpr_span parts[GPR_MOST_DEVICES];
  shared_part shared[GPR_MOST_DEVICES];
  void *partials;               /* of all parts, of the first GPU */
  gpr_pieces edges;             /* of an expression, one behind the other: of each GPU the rows that it gives and then those that it shares */
} wide;

static gpr_partial
partial_of (const wide *g, const void *x, const void *y, int64_t first_row, int64_t first, const int64_t *end)
{
  gpr_partial p = { .r = g->r, .tree = g->tree, .acc_bytes = g->acc_bytes, .first_row = first_row, .first = first, .count = 1, .end = end, .partials = g->partials };
  p.r.x = x;
  p.r.y = y;
  p.r.terms = NULL;
  p.r.out_resident = false;     /* there are no results yet */
  return p;
}

/* ---- the edges of an expression's pieces ------------------------------------------------------- */

static gpr_span
given (const wide *g, int k)
{
  const gpr_span rows = gpr_span_of (g->d->starts, k);
  const gpr_span give = gpr_rows_to_give (rows, g->tree.rows);
  return give.end > give.first ? give : (gpr_span) { rows.first, rows.first };
}

static void
lay_edges (wide *g)
{
  const gpr_pieces *x = g->d->x;
  gpr_pieces *e = &g->edges;

  e->count = x->count;
  memcpy (e->device, x->device, sizeof e->device);
  for (int k = 0; k < x->count; k++)
    {
      const gpr_span give = given (g, k);
      const int64_t shared = g->shared[k].bytes > 0 ? (g->d->starts[k + 1] - g->shared[k].rows.first) * g->row_bytes : 0;
      e->starts[k + 1] = e->starts[k] + (give.end - give.first) * g->row_bytes + shared;
    }
  e->bytes = e->starts[e->count];
}

static gpr_status
make_edges (void *of, int k)
{
  const wide *g = of;
  const gpr_span give = given (g, k);
  const int64_t begins = g->d->starts[k], ends = g->d->starts[k + 1], inner = g->d->inner, gives = give.end - give.first;
  gpr_terms *t = g->d->x->terms;
  char *to = g->edges.at[k];
  gpr_status status = gpr_terms_make (t, k, 0, gives * inner, to);

  if (status == GPR_OK && g->shared[k].bytes > 0)
    status = gpr_terms_make (t, k, (g->shared[k].rows.first - begins) * inner, (ends - begins) * inner, to + gives * g->row_bytes);
  return status;
}

/* ---- a GPU's parts -------------------------------------------------------------------------- */

static gpr_status
fetch_shared (const wide *g, int k)
{
  const gpr_pieces *from[2] = { g->d->x, g->d->y };
  const gpr_span give = given (g, k);
  gpr_status status = GPR_OK;

  if (g->d->x->terms)
    return gpr_spread_fetch (&g->edges, g->edges.starts[k] + (give.end - give.first) * g->row_bytes, g->shared[k].bytes, from[0]->device[k], g->shared[k].memory[0]);
  for (int i = 0; i < 2 && from[i] && status == GPR_OK; i++)
    status = gpr_spread_fetch (from[i], g->shared[k].rows.first * g->row_bytes, g->shared[k].bytes, from[i]->device[k], g->shared[k].memory[i]);
  return status;
}

static gpr_status
do_parts (gpr_part *part, void *of)
{
  const wide *g = of;
  const int k = part->k;
  const gpr_pieces *x = g->d->x, *y = g->d->y;
  const gpr_backend *cuda = &gpr_cuda ()->backend;
  const int64_t all = g->parts[k].end, own = all - (g->shared[k].bytes > 0);
  gpr_partial p[2] = { partial_of (g, x->at[k], y ? y->at[k] : NULL, g->d->starts[k], g->parts[k].first, &own),
                       partial_of (g, g->shared[k].memory[0], g->shared[k].memory[1], g->shared[k].rows.first, own, &all) };
  p[0].r.terms = x->terms ? &x->terms->of[k] : NULL;
  gpr_status status = own > g->parts[k].first ? cuda->partial_begin (&p[0]) : GPR_OK;

  if (status == GPR_OK && all > own)
    status = fetch_shared (g, k);
  if (status == GPR_OK && all > own)
    status = cuda->partial_begin (&p[1]);
  for (int i = 0; i < 2; i++)
    if (p[i].running)
      {
        const gpr_status ended = cuda->partial_end (&p[i], status == GPR_OK);
        status = status == GPR_OK ? ended : status;
      }
  return status;
}

/* ---- memory ------------------------------------------------------------------------------------ */

static gpr_status
allocate (wide *g)
{
  const gpr_pieces *x = g->d->x;
  gpr_status status = gpr_spread_take (x->device[0], g->tree.parts * g->r.inner * g->acc_bytes, &g->partials);

  for (int k = 0; k < x->count; k++)
    for (int i = 0; i < 1 + (g->d->y != NULL) && status == GPR_OK && g->shared[k].bytes > 0; i++)
      status = gpr_spread_take (x->device[k], g->shared[k].bytes, &g->shared[k].memory[i]);
  if (status == GPR_OK && x->terms)
    status = gpr_spread_take_pieces (&g->edges);
  return status;
}

static void
release (wide *g)
{
  gpr_spread_drop_pieces (&g->edges);
  for (int k = 0; k < g->d->x->count; k++)
    for (int i = 0; i < 2; i++)
      if (g->shared[k].memory[i])
        gpr_cuda ()->backend.release (g->shared[k].memory[i]);
  if (g->partials)
    gpr_cuda ()->backend.release (g->partials);
}

/* ---- all of it ------------------------------------------------------------------------------------ */

static void
plan (wide *g)
{
  const gpr_division *d = g->d;

  g->tree = gpr_cpu_job_of (&g->r).tree;
  g->acc_bytes = gpr_instances[g->r.instance].acc_bytes;
  g->row_bytes = d->inner * d->elem_bytes;
  for (int k = 0; k < d->x->count; k++)
    {
      const gpr_span rows = gpr_span_of (d->starts, k);
      g->parts[k] = gpr_parts_owned (rows, g->tree.rows);
      g->shared[k].rows = gpr_rows_shared (rows, g->tree.rows, d->length);
      g->shared[k].bytes = (g->shared[k].rows.end - g->shared[k].rows.first) * g->row_bytes;
    }
  if (d->x->terms)
    lay_edges (g);
}

static bool
all_reach_first (const gpr_pieces *x)
{
  bool near = true;
  for (int k = 1; k < x->count && near; k++)
    near = gpr_cuda ()->reaches (x->device[k], x->device[0]);
  return near;
}

bool
gpr_spread_is_wide (const gpr_reduction *r, const gpr_division *d)
{
  if (d->how == GPR_DIVIDED_ALONG && d->x->terms && d->inner % d->x->terms->inner != 0)
    return false;               /* a row cannot be made by itself */
  return d->how == GPR_DIVIDED_ALONG && d->x->count > 1 && ! r->exact && r->inner * gpr_instances[r->instance].acc_bytes >= LEAST && all_reach_first (d->x);
}

gpr_status
gpr_spread_reduce_wide (gpr_reduction *r, const gpr_division *d)
{
  wide g = { .d = d, .r = *r };

  plan (&g);
  gpr_status status = allocate (&g);
  if (status == GPR_OK && d->x->terms)
    status = gpr_spread_each (&g.edges, g.edges.bytes, make_edges, &g);
  if (status == GPR_OK)
    status = gpr_division_run (d, do_parts, &g);
  if (status == GPR_OK)
    {
      gpr_partial p = partial_of (&g, NULL, NULL, 0, 0, NULL);
      p.r.x = r->x;
      p.r.y = r->y;
      p.r.out_resident = r->out_resident;
      status = gpr_cuda ()->backend.partial_results (&p);
      r->needs_fixup = p.r.needs_fixup;
    }
  release (&g);
  return status;
}
