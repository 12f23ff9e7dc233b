/* A reduction over the divided dimension that has many outputs: their accumulators are too many to go through host memory.

   Each rank's device reduces the parts of the tree whose first rows it has, all as in src/spread/wide.c: rows of a part that other ranks have are brought
   to it by the link (link.h), and the accumulators of all parts to rank 0's device, which merges them as if it had had all rows.  All ranks get the results.  */

#include "reduction.h"

enum { PARTIALS, VALUES, INDICES, BLOCKS };     /* of device memory */

typedef struct {
  gpr_over_ranks *w;
  gpr_linking l;
  int64_t whole;                /* parts that are wholly here end before this one */
  size_t bytes[BLOCKS];
  void *memory[BLOCKS];
  gpr_partial own, shared;
} linked;

static int64_t
first_part (const linked *g)    /* in memory: rank 0 has room for all */
{
  return g->w->world.rank == 0 ? 0 : g->w->parts.first;
}

static char *
part_memory (const linked *g, int64_t part)
{
  return (char *) g->memory[PARTIALS] + (size_t) (part - first_part (g)) * g->w->level_bytes;
}

/* ---- what is needed ------------------------------------------------------------------- */

/* The same on all ranks.  */
static bool
is_wide (const gpr_over_ranks *w)
{
  const int64_t bytes = w->job.tree.parts * (int64_t) w->level_bytes;
  return w->world.size > 1 && gpr_world_of_processes () && w->r->outer == 1 && (int64_t) w->level_bytes >= gpr_link_least ()
         && gpr_link_pays (bytes + gpr_linked_row_bytes (w));
}

static bool
allocate (linked *g)
{
  const gpr_over_ranks *w = g->w;
  const gpr_reduction *r = w->r;
  g->bytes[PARTIALS] = (size_t) (w->world.rank == 0 ? w->job.tree.parts : w->parts.end - w->parts.first) * w->level_bytes;
  g->bytes[VALUES] = (size_t) r->inner * w->job.info->value_bytes;
  g->bytes[INDICES] = r->index ? (size_t) r->inner * sizeof *r->index : 0;
  bool all = gpr_linked_allocate (w, &g->l, g->bytes[PARTIALS] + g->bytes[VALUES] + g->bytes[INDICES]);
  for (int k = 0; k < BLOCKS && all; k++)
    if (g->bytes[k] > 0)
      all = g->l.home->links->take (g->bytes[k], g->l.own[0], &g->memory[k]) == GPR_OK;
  return all;
}

static void
release (linked *g)
{
  for (int k = 0; k < BLOCKS; k++)
    if (g->memory[k])
      g->l.home->links->release (g->memory[k]);
  gpr_linked_release (&g->l);
}

/* ---- the work ---------------------------------------------------------------------------- */

/* Accumulators to rank 0: of the parts that are wholly a rank's, or of those that are shared.  */
static void
bring_partials (linked *g, bool of_shared)
{
  const gpr_over_ranks *w = g->w;
  for (int rank = 1; rank < w->world.size; rank++)
    {
      const gpr_span rows = gpr_span_of (w->starts, rank);
      const gpr_span parts = gpr_parts_owned (rows, w->job.tree.rows);
      const bool shared = parts.end > parts.first && gpr_rows_of_part (parts.end - 1, w->job.tree.rows, w->r->length).end > rows.end;
      const int64_t whole = parts.end - shared, first = of_shared ? whole : parts.first, end = of_shared ? parts.end : whole;
      const bool sends = rank == w->world.rank;
      if (end > first && (sends || w->world.rank == 0))
        gpr_linked_add (&g->l, sends ? 0 : rank, sends, part_memory (g, first), (size_t) (end - first) * w->level_bytes);
    }
}

/* Where part 0's would be.  */
static void *
all_partials (const linked *g)
{
  return (void *) ((uintptr_t) g->memory[PARTIALS] - (uintptr_t) ((size_t) first_part (g) * g->w->level_bytes));
}

static void
plan (linked *g)
{
  const gpr_over_ranks *w = g->w;
  g->own = (gpr_partial) { .r = *w->r, .tree = w->job.tree, .acc_bytes = w->job.info->acc_bytes, .first_row = w->rows.first, .first = w->parts.first,
                           .count = 1, .end = &g->whole, .partials = all_partials (g) };
  g->own.r.x = g->l.own[0];
  g->own.r.y = g->l.own[1];
  g->shared = gpr_linked_shared (w, &g->l);
  g->shared.partials = all_partials (g);
}

static gpr_status
do_parts (linked *g)
{
  const gpr_over_ranks *w = g->w;
  gpr_status status = g->whole > w->parts.first ? g->l.home->partial_begin (&g->own) : GPR_OK;

  if (status == GPR_OK)
    status = gpr_linked_add_rows (w, &g->l);
  bring_partials (g, false);
  if (status == GPR_OK)
    status = gpr_linked_move (&g->l);
  if (status == GPR_OK && g->l.shared)
    status = g->l.home->partial_begin (&g->shared);
  bring_partials (g, true);
  if (status == GPR_OK)
    status = gpr_linked_move (&g->l);
  if (status != GPR_OK)
    gpr_link_stop ();           /* or the end of the parts would wait for it */
  for (int k = 0; k < 2; k++)
    {
      gpr_partial *p = k ? &g->shared : &g->own;
      const gpr_status ended = p->running ? g->l.home->partial_end (p, status == GPR_OK) : GPR_OK;
      status = status == GPR_OK ? ended : status;
    }
  return status;
}

/* Of rank 0, to all.  */
static gpr_status
give_results (linked *g)
{
  const gpr_world *world = &g->w->world;
  gpr_reduction *r = g->w->r;
  int64_t fixup = 0;
  gpr_status status = GPR_OK;

  if (world->rank == 0)
    {
      gpr_partial p = g->own;
      p.r.value = g->memory[VALUES];
      p.r.index = g->memory[INDICES];
      p.r.out_resident = true;
      p.r.rows = false;
      status = g->l.home->partial_results (&p);
      fixup = p.r.needs_fixup;
    }
  if (status == GPR_OK)
    status = gpr_world_spread (&fixup, sizeof fixup);
  r->needs_fixup = fixup != 0;
  for (int k = VALUES; k <= INDICES; k++)
    for (int rank = 1; rank < world->size; rank++)
      if (rank == world->rank || world->rank == 0)
        gpr_linked_add (&g->l, rank == world->rank ? 0 : rank, world->rank == 0, g->memory[k], g->bytes[k]);
  if (status == GPR_OK)
    status = gpr_linked_move (&g->l);
  if (status == GPR_OK)
    status = g->l.home->download (r->value, g->memory[VALUES], g->bytes[VALUES]);
  if (status == GPR_OK && r->index)
    status = g->l.home->download (r->index, g->memory[INDICES], g->bytes[INDICES]);
  return status;
}

gpr_status
gpr_linked_reduce (gpr_over_ranks *w, bool *done)
{
  linked g = { .w = w };

  *done = false;
  if (! is_wide (w))
    return GPR_OK;
  gpr_linked_plan (w, &g.l);
  g.whole = w->parts.end - g.l.shared;
  const bool can = allocate (&g);
  plan (&g);
  w->link_asked = true;
  gpr_status status = gpr_link_find (g.l.home ? g.l.home->links : NULL, g.l.own[0], can, done);
  if (status == GPR_OK && *done)
    status = do_parts (&g);
  if (status == GPR_OK && *done)
    status = give_results (&g);
  if (status != GPR_OK)
    gpr_link_stop ();
  release (&g);
  return status;
}
