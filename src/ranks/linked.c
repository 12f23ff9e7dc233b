/* A reduction over the divided dimension that has many outputs: their accumulators are too many to go through host memory.

   Each rank's device reduces the parts of the tree whose first rows it has, all as in src/spread/wide.c: rows of a part that other ranks have are brought
   to it by the link (link.h), and the accumulators of all parts to rank 0's device, which merges them as if it had had all rows.  All ranks get the results.  */

#include <stdlib.h>
#include <string.h>

#include "link.h"
#include "reduction.h"

enum { X, Y, PARTIALS, VALUES, INDICES, BLOCKS };       /* of device memory */

typedef struct {
  gpr_over_ranks *w;
  const gpr_backend *home;
  int64_t whole;                /* parts that are wholly here end before this one: the last may be shared */
  gpr_span last_rows;           /* of the shared one, which begins here and does not end here */
  size_t bytes[BLOCKS];
  void *memory[BLOCKS];
  gpr_move *moves;
  int count;
  gpr_partial own, shared;
} linked;

static int
factors (const linked *g)
{
  return g->w->r->y ? 2 : 1;
}

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

static bool
shares (const linked *g)
{
  return g->w->parts.end > g->whole;
}

/* ---- what is needed ------------------------------------------------------------------- */

/* The same on all ranks.  */
static bool
is_wide (const gpr_over_ranks *w)
{
  return w->world.size > 1 && gpr_world_of_processes () && w->r->outer == 1 && (int64_t) w->level_bytes >= gpr_link_least ();
}

static void
plan (linked *g)
{
  const gpr_over_ranks *w = g->w;
  const gpr_reduction *r = w->r;
  const bool first = w->world.rank == 0;

  g->whole = w->parts.end;
  g->bytes[PARTIALS] = (size_t) (first ? w->job.tree.parts : w->parts.end - w->parts.first) * w->level_bytes;
  g->bytes[VALUES] = (size_t) r->inner * w->job.info->value_bytes;
  g->bytes[INDICES] = r->index ? (size_t) r->inner * sizeof *r->index : 0;
  if (w->parts.end == w->parts.first)
    return;
  g->last_rows = gpr_rows_of_part (w->parts.end - 1, w->job.tree.rows, r->length);
  if (g->last_rows.end <= w->rows.end)
    return;
  g->whole--;
  for (int k = 0; k < factors (g); k++)
    g->bytes[X + k] = (size_t) ((g->last_rows.end - g->last_rows.first) * w->row_bytes);
}

static bool
lies_well (const linked *g)
{
  const gpr_over_ranks *w = g->w;
  const struct gpr_links *by = g->home ? g->home->links : NULL;
  return by && g->home->on_device && (! w->r->y || w->piece[1].home == g->home) && by->fits (w->r->instance, w->job.info->acc_bytes);
}

static bool
allocate (linked *g)
{
  bool all = true;
  for (int k = 0; k < BLOCKS && all; k++)
    if (g->bytes[k] > 0)
      all = g->home->links->take (NULL, g->bytes[k], g->w->piece[0].data, &g->memory[k]) == GPR_OK;
  g->moves = malloc (4 * (size_t) g->w->world.size * sizeof *g->moves);
  return all && g->moves;
}

static void
release (linked *g)
{
  for (int k = 0; k < BLOCKS; k++)
    if (g->memory[k])
      g->home->links->release (g->memory[k]);
  free (g->moves);
}

/* ---- moves ---------------------------------------------------------------------------- */

static void
add (linked *g, int rank, bool sends, void *memory, size_t bytes)
{
  if (bytes > 0)
    g->moves[g->count++] = (gpr_move) { rank, sends, memory, bytes };
}

static gpr_status
move (linked *g)
{
  const int count = g->count;
  g->count = 0;
  return gpr_link_move (g->moves, count);
}

/* Rows at the beginning that belong to a part which begins on a rank before.  */
static void
give_rows (linked *g)
{
  const gpr_over_ranks *w = g->w;
  const gpr_span give = gpr_rows_to_give (w->rows, w->job.tree.rows);
  if (give.end <= give.first)
    return;
  const int to = gpr_rank_of_row (w->starts, w->world.size, give.first / w->job.tree.rows * w->job.tree.rows);
  for (int k = 0; k < factors (g); k++)
    add (g, to, true, (void *) (uintptr_t) w->piece[k].data, (size_t) ((give.end - give.first) * w->row_bytes));
}

/* The shared part's: those that are here are copied beside the others'.  */
static gpr_status
take_rows (linked *g)
{
  const gpr_over_ranks *w = g->w;
  const int64_t own = w->rows.end - g->last_rows.first;
  gpr_status status = GPR_OK;

  for (int k = 0; k < factors (g) && shares (g) && status == GPR_OK; k++)
    status = gpr_link_copy (g->memory[X + k], (const char *) w->piece[k].data + (g->last_rows.first - w->rows.first) * w->row_bytes, (size_t) (own * w->row_bytes));
  for (int rank = w->world.rank + 1; shares (g) && rank < w->world.size && w->starts[rank] < g->last_rows.end; rank++)
    {
      const gpr_span theirs = gpr_rows_to_give (gpr_span_of (w->starts, rank), w->job.tree.rows);
      for (int k = 0; k < factors (g) && theirs.end > theirs.first; k++)
        add (g, rank, false, (char *) g->memory[X + k] + (theirs.first - g->last_rows.first) * w->row_bytes, (size_t) ((theirs.end - theirs.first) * w->row_bytes));
    }
  return status;
}

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
        add (g, sends ? 0 : rank, sends, part_memory (g, first), (size_t) (end - first) * w->level_bytes);
    }
}

/* ---- the work ---------------------------------------------------------------------------- */

static gpr_partial
partial_of (const linked *g, const void *x, const void *y, int64_t first_row, int64_t first, const int64_t *end)
{
  const gpr_over_ranks *w = g->w;
  gpr_partial p = { .r = *w->r, .tree = w->job.tree, .acc_bytes = w->job.info->acc_bytes, .first_row = first_row, .first = first, .count = 1, .end = end };
  p.r.x = x;
  p.r.y = w->r->y ? y : NULL;
  /* Where part 0's would be.  */
  p.partials = (void *) ((uintptr_t) g->memory[PARTIALS] - (uintptr_t) ((size_t) first_part (g) * w->level_bytes));
  return p;
}

static gpr_status
do_parts (linked *g)
{
  gpr_over_ranks *w = g->w;
  gpr_status status = GPR_OK;

  g->own = partial_of (g, w->piece[0].data, w->piece[1].data, w->rows.first, w->parts.first, &g->whole);
  g->shared = partial_of (g, g->memory[X], g->memory[Y], g->last_rows.first, g->whole, &w->parts.end);
  if (g->whole > w->parts.first)
    status = g->home->partial_begin (&g->own);
  if (status == GPR_OK)
    status = take_rows (g);
  give_rows (g);
  bring_partials (g, false);
  if (status == GPR_OK)
    status = move (g);
  if (status == GPR_OK && shares (g))
    status = g->home->partial_begin (&g->shared);
  bring_partials (g, true);
  if (status == GPR_OK)
    status = move (g);
  if (status != GPR_OK)
    gpr_link_stop ();           /* or the end of the parts would wait for it */
  for (int k = 0; k < 2; k++)
    {
      gpr_partial *p = k ? &g->shared : &g->own;
      const gpr_status ended = p->running ? g->home->partial_end (p, status == GPR_OK) : GPR_OK;
      status = status == GPR_OK ? ended : status;
    }
  return status;
}

/* Of rank 0, to all.  */
static gpr_status
give_results (linked *g)
{
  gpr_over_ranks *w = g->w;
  gpr_reduction *r = w->r;
  int64_t fixup = 0;
  gpr_status status = GPR_OK;

  if (w->world.rank == 0)
    {
      gpr_partial p = partial_of (g, w->piece[0].data, w->piece[1].data, 0, 0, NULL);
      p.r.value = g->memory[VALUES];
      p.r.index = g->memory[INDICES];
      p.r.out_resident = true;
      status = g->home->partial_results (&p);
      fixup = p.r.needs_fixup;
    }
  if (status == GPR_OK)
    status = gpr_world_spread (&fixup, sizeof fixup);
  r->needs_fixup = fixup != 0;
  for (int k = VALUES; k <= INDICES; k++)
    for (int rank = 1; rank < w->world.size; rank++)
      if (rank == w->world.rank || w->world.rank == 0)
        add (g, rank == w->world.rank ? 0 : rank, w->world.rank == 0, g->memory[k], g->bytes[k]);
  if (status == GPR_OK)
    status = move (g);
  if (status == GPR_OK)
    status = g->home->download (r->value, g->memory[VALUES], g->bytes[VALUES]);
  if (status == GPR_OK && r->index)
    status = g->home->download (r->index, g->memory[INDICES], g->bytes[INDICES]);
  return status;
}

gpr_status
gpr_linked_reduce (gpr_over_ranks *w, bool *done)
{
  linked g = { .w = w, .home = w->piece[0].home };

  *done = false;
  if (! is_wide (w))
    return GPR_OK;
  plan (&g);
  const bool can = lies_well (&g) && allocate (&g);
  gpr_status status = gpr_link_find (g.home ? g.home->links : NULL, w->piece[0].data, can, done);
  if (status == GPR_OK && *done)
    status = do_parts (&g);
  if (status == GPR_OK && *done)
    status = give_results (&g);
  if (status != GPR_OK)
    gpr_link_stop ();
  release (&g);
  return status;
}
