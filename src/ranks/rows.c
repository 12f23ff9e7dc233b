/* Rows that travel: those of a part that begins on another rank (parts.h).  */

#include <stdlib.h>
#include <string.h>

#include "reduction.h"

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

static int
factors (const gpr_over_ranks *w)
{
  return w->r->y ? 2 : 1;
}

/* Rows of each outer index, of so many that are here, from the first-th on; apart bytes from one index's to the next's.  */
static gpr_status
read_rows (const gpr_over_ranks *w, int k, int64_t first, int64_t rows, char *to, size_t apart)
{
  const int64_t here = w->rows.end - w->rows.first;
  gpr_status status = GPR_OK;
  for (int64_t o = 0; o < w->r->outer && status == GPR_OK; o++)
    status = gpr_piece_read (&w->piece[k], (size_t) ((o * here + first) * w->row_bytes), (size_t) (rows * w->row_bytes), to + o * apart);
  return status;
}

gpr_status
gpr_give_rows (const gpr_over_ranks *w, gpr_parcels *p)
{
  const gpr_span give = gpr_rows_to_give (w->rows, w->job.tree.rows);
  const int64_t rows = give.end - give.first;
  const size_t each = (size_t) (rows * w->row_bytes), bytes = each * (size_t) w->r->outer;
  gpr_status status = GPR_OK;

  if (rows <= 0)
    return GPR_OK;
  const int to = gpr_rank_of_row (w->starts, w->world.size, give.first / w->job.tree.rows * w->job.tree.rows);
  for (int k = 0; k < factors (w) && status == GPR_OK; k++)
    {
      char *from = (char *) (uintptr_t) w->piece[k].data;
      if (w->r->outer > 1 || gpr_on_device (&w->piece[k]))
        {
          if (! (p->packed[p->count] = malloc (bytes)))
            return no_memory (bytes);
          from = p->packed[p->count++];
          status = read_rows (w, k, 0, rows, from, each);
        }
      if (status == GPR_OK)
        status = gpr_post_send (&p->post, to, GPR_POST_ROWS, from, bytes);
    }
  return status;
}

gpr_status
gpr_ask_for_rows (gpr_over_ranks *w, gpr_parcels *p)
{
  const int64_t outer = w->r->outer, part_rows = w->job.tree.rows, here = w->rows.end - w->rows.first;
  gpr_status status = GPR_OK;

  if (w->parts.end == w->parts.first)
    return GPR_OK;
  w->last_rows = gpr_rows_of_part (w->parts.end - 1, part_rows, w->r->length);
  if (w->last_rows.end <= w->rows.end)
    return GPR_OK;
  const int64_t all = w->last_rows.end - w->last_rows.first, own = w->rows.end - w->last_rows.first;
  const size_t bytes = (size_t) (all * outer * w->row_bytes);
  for (int k = 0; k < factors (w) && status == GPR_OK; k++)
    {
      if (! (w->last[k] = malloc (bytes)))
        return no_memory (bytes);
      status = read_rows (w, k, here - own, own, w->last[k], (size_t) (all * w->row_bytes));
    }
  for (int rank = w->world.rank + 1; rank < w->world.size && w->starts[rank] < w->last_rows.end && status == GPR_OK; rank++)
    {
      const gpr_span theirs = gpr_rows_to_give (gpr_span_of (w->starts, rank), part_rows);
      const int64_t rows = theirs.end - theirs.first;
      const size_t size = (size_t) (rows * outer * w->row_bytes);
      for (int k = 0; k < factors (w) && rows > 0 && status == GPR_OK; k++)
        {
          char *to = w->last[k] + (theirs.first - w->last_rows.first) * w->row_bytes;
          if (outer > 1 && ! (to = p->packed[p->count++] = malloc (size)))
            return no_memory (size);
          status = gpr_post_receive (&p->post, rank, GPR_POST_ROWS, to, size);
        }
    }
  return status;
}

/* In the order in which it was asked for; before that lies what was given.  */
void
gpr_unpack_rows (const gpr_over_ranks *w, const gpr_parcels *p)
{
  const int64_t part_rows = w->job.tree.rows, all = w->last_rows.end - w->last_rows.first;
  const gpr_span given = gpr_rows_to_give (w->rows, part_rows);
  int k = given.end > given.first ? factors (w) : 0;

  for (int rank = w->world.rank + 1; k < p->count; rank++)
    {
      const gpr_span theirs = gpr_rows_to_give (gpr_span_of (w->starts, rank), part_rows);
      const size_t bytes = (size_t) ((theirs.end - theirs.first) * w->row_bytes);
      for (int of = 0; of < factors (w) && theirs.end > theirs.first; of++, k++)
        for (int64_t o = 0; o < w->r->outer; o++)
          memcpy (w->last[of] + (o * all + theirs.first - w->last_rows.first) * w->row_bytes, p->packed[k] + o * bytes, bytes);
    }
}
