/* Rows of a part that lie on several ranks' devices: they go to that of the part's owner, which reduces them there.  */

#include <stdlib.h>

#include "reduction.h"

static int
factors (const gpr_over_ranks *w)
{
  return w->r->y ? 2 : 1;
}

int64_t
gpr_linked_row_bytes (const gpr_over_ranks *w)
{
  int64_t bytes = 0;
  for (int k = 0; k < w->world.size; k++)
    {
      const gpr_span give = gpr_rows_to_give (gpr_span_of (w->starts, k), w->job.tree.rows);
      bytes += (give.end - give.first) * w->row_bytes * factors (w);
    }
  return bytes;
}

void
gpr_linked_plan (const gpr_over_ranks *w, gpr_linking *l)
{
  *l = (gpr_linking) { .home = w->piece[0].home, .own = { w->piece[0].data, w->r->y ? w->piece[1].data : NULL } };
  if (w->parts.end > w->parts.first)
    l->rows = gpr_rows_of_part (w->parts.end - 1, w->job.tree.rows, w->r->length);
  l->shared = l->rows.end > w->rows.end;
}

/* A call may have no more than memory_limit, if there is one, of a device that has so many left.  */
static bool
has_room (const gpr_linking *l, size_t bytes)
{
  return bytes <= (gpr_config.memory_limit > 0 ? gpr_config.memory_limit : l->home->links->room (l->own[0]));
}

bool
gpr_linked_allocate (const gpr_over_ranks *w, gpr_linking *l, size_t more)
{
  const struct gpr_links *by = l->home && l->home->on_device ? l->home->links : NULL;
  const size_t bytes = (size_t) ((l->rows.end - l->rows.first) * w->row_bytes);
  bool good = by && by->found () && (! w->r->y || w->piece[1].home == l->home) && by->fits (w->r->instance, w->job.info->acc_bytes);

  good = good && has_room (l, more + (l->shared ? factors (w) * bytes : 0));
  l->moves = malloc (4 * ((size_t) w->world.size + 1) * sizeof *l->moves);
  for (int k = 0; k < factors (w) && l->shared && good; k++)
    good = by->take (bytes, l->own[0], &l->memory[k]) == GPR_OK;
  return good && l->moves;
}

void
gpr_linked_release (gpr_linking *l)
{
  for (int k = 0; k < 2; k++)
    if (l->memory[k])
      l->home->links->release (l->memory[k]);
  free (l->moves);
}

void
gpr_linked_add (gpr_linking *l, int rank, bool sends, void *memory, size_t bytes)
{
  if (bytes > 0)
    l->moves[l->count++] = (gpr_move) { rank, sends, memory, bytes };
}

gpr_status
gpr_linked_move (gpr_linking *l)
{
  const int count = l->count;
  l->count = 0;
  return gpr_link_move (l->moves, count);
}

gpr_status
gpr_linked_add_rows (const gpr_over_ranks *w, gpr_linking *l)
{
  const gpr_span give = gpr_rows_to_give (w->rows, w->job.tree.rows);
  const int64_t own = w->rows.end - l->rows.first;
  gpr_status status = GPR_OK;

  for (int k = 0; k < factors (w) && give.end > give.first; k++)
    gpr_linked_add (l, gpr_rank_of_row (w->starts, w->world.size, give.first / w->job.tree.rows * w->job.tree.rows), true,
                    (void *) (uintptr_t) l->own[k], (size_t) ((give.end - give.first) * w->row_bytes));
  for (int k = 0; k < factors (w) && l->shared && status == GPR_OK; k++)
    status = gpr_link_copy (l->memory[k], l->own[k] + (l->rows.first - w->rows.first) * w->row_bytes, (size_t) (own * w->row_bytes));
  for (int rank = w->world.rank + 1; l->shared && rank < w->world.size && w->starts[rank] < l->rows.end; rank++)
    {
      const gpr_span theirs = gpr_rows_to_give (gpr_span_of (w->starts, rank), w->job.tree.rows);
      for (int k = 0; k < factors (w) && theirs.end > theirs.first; k++)
        gpr_linked_add (l, rank, false, (char *) l->memory[k] + (theirs.first - l->rows.first) * w->row_bytes,
                        (size_t) ((theirs.end - theirs.first) * w->row_bytes));
    }
  return status;
}

gpr_partial
gpr_linked_shared (const gpr_over_ranks *w, const gpr_linking *l)
{
  gpr_partial p = { .r = *w->r, .tree = w->job.tree, .acc_bytes = w->job.info->acc_bytes, .first_row = l->rows.first, .first = w->parts.end - 1,
                    .count = 1, .end = &w->parts.end };
  p.r.x = l->memory[0];
  p.r.y = l->memory[1];
  return p;
}

/* The same on all ranks.  */
static bool
are_many (const gpr_over_ranks *w)
{
  const gpr_tree *t = &w->job.tree;
  const int64_t part_bytes = (t->rows < t->length ? t->rows : t->length) * w->row_bytes;
  if (w->link_asked || w->world.size == 1 || ! gpr_world_of_processes () || w->r->outer > 1 || part_bytes < gpr_link_least ())
    return false;
  const int64_t bytes = gpr_linked_row_bytes (w);
  return bytes > 0 && gpr_link_pays (bytes);
}

gpr_status
gpr_linked_rows_prepare (const gpr_over_ranks *w, gpr_linking *l, bool *linked)
{
  *linked = false;
  gpr_linked_plan (w, l);
  if (! are_many (w))
    return GPR_OK;
  const bool can = gpr_linked_allocate (w, l, 0);
  const gpr_status status = gpr_link_find (l->home ? l->home->links : NULL, l->own[0], can, linked);
  if (status != GPR_OK || ! *linked)
    gpr_linked_release (l);
  *linked &= status == GPR_OK;
  return status;
}

gpr_status
gpr_linked_rows_reduce (const gpr_over_ranks *w, gpr_linking *l, gpr_status status, char *to)
{
  gpr_partial p = gpr_linked_shared (w, l);

  p.accumulators = to;
  p.apart = w->level_bytes;
  if (status == GPR_OK)
    status = gpr_linked_add_rows (w, l);
  if (status == GPR_OK)
    status = gpr_linked_move (l);
  if (status == GPR_OK && l->shared)
    status = l->home->partial_begin (&p);
  if (status == GPR_OK && l->shared)
    status = l->home->partial_end (&p, true);
  if (status != GPR_OK)
    gpr_link_stop ();
  gpr_linked_release (l);
  return status;
}
