/* A part of rows on several ranks, in a tree whose columns have one lane each: as there are many columns, or the operator is one of the order of
   elements.  Each rank goes on with the accumulators that the one before came to, and the last one gives them to the part's owner; so a row of accumulators
   travels, and not all of the part's rows.  */

#include <stdlib.h>
#include <string.h>

#include "reduction.h"

enum {
  LEAST = 1 << 16,      /* bytes of a part: smaller ones are sent, since all ranks do that at once */
  BLOCK = 1 << 24       /* bytes that are read from a device at once */
};

static int64_t
lesser (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

bool
gpr_carries (const gpr_over_ranks *w)
{
  const gpr_tree *t = &w->job.tree;
  const bool one_lane = t->lanes == 1 || (w->job.info->traits & GPR_ORDERED);
  return one_lane && w->world.size > 1 && lesser (t->rows, t->length) * w->r->outer * w->row_bytes > LEAST;
}

static int
rank_of (const gpr_over_ranks *w, int64_t row)
{
  return gpr_rank_of_row (w->starts, w->world.size, row);
}

static int64_t
end_of (const gpr_over_ranks *w, int64_t part)
{
  return gpr_rows_of_part (part, w->job.tree.rows, w->r->length).end;
}

/* ---- rows ------------------------------------------------------------------------------------- */

/* Rows in memory, so many an outer index, from row first on.  */
static void
take_block (const gpr_over_ranks *w, char *accumulators, const char *x, const char *y, int64_t first, int64_t rows, int64_t memory_rows, bool begins)
{
  const gpr_tree *t = &w->job.tree;
  const int64_t units = w->r->outer * t->tiles, elem = w->job.info->elem_bytes;
  const int threads = rows * w->r->outer * w->row_bytes >= 1 << 19 ? gpr_cpu_threads () : 1;

  if (threads > 1)
    gpr_cpu_note_pool ();
  #pragma omp parallel for num_threads (threads) if (threads > 1)
  for (int64_t i = 0; i < units; i++)
    {
      const int64_t o = i / t->tiles, tile = i % t->tiles, from = tile * t->columns * elem;
      /* As reduce_part of reduce.c.  */
      const uintptr_t back = (uintptr_t) ((o * memory_rows - first) * w->row_bytes);
      gpr_reduction r = *w->r;
      gpr_cpu_job g = w->job;
      r.x = (const char *) ((uintptr_t) x + back);
      r.y = y ? (const char *) ((uintptr_t) y + back) : NULL;
      g.r = &r;
      gpr_cpu_reduce_piece (&g, tile, x + o * memory_rows * w->row_bytes + from, first, rows, begins, false,
                            accumulators + (o * t->inner + tile * t->columns) * w->job.info->acc_bytes);
    }
}

/* Of a device, block by block.  */
static gpr_status
take_from_device (const gpr_over_ranks *w, char *accumulators, gpr_span rows, bool begins)
{
  const int64_t here = w->rows.end - w->rows.first, all = w->r->outer * w->row_bytes, at_once = all < BLOCK ? BLOCK / all : 1;
  char *block[2] = { malloc (lesser (at_once, rows.end - rows.first) * all), NULL };
  gpr_status status = GPR_OK;

  if (w->r->y)
    block[1] = malloc (lesser (at_once, rows.end - rows.first) * all);
  if (! block[0] || (w->r->y && ! block[1]))
    status = gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory", (long long) (at_once * all));
  for (int64_t first = rows.first, some; first < rows.end && status == GPR_OK; first += some)
    {
      some = lesser (at_once, rows.end - first);
      for (int k = 0; k < 1 + (w->r->y != NULL); k++)
        for (int64_t o = 0; o < w->r->outer && status == GPR_OK; o++)
          status = gpr_piece_read (&w->piece[k], (size_t) ((o * here + first - w->rows.first) * w->row_bytes), (size_t) (some * w->row_bytes),
                                   block[k] + o * some * w->row_bytes);
      if (status == GPR_OK)
        take_block (w, accumulators, block[0], block[1], first, some, some, begins && first == rows.first);
    }
  free (block[0]);
  free (block[1]);
  return status;
}

static gpr_status
take (const gpr_over_ranks *w, char *accumulators, gpr_span rows, bool begins)
{
  const int64_t here = w->rows.end - w->rows.first, skipped = (rows.first - w->rows.first) * w->row_bytes;
  if (gpr_on_device (&w->piece[0]) || gpr_on_device (&w->piece[1]))
    return take_from_device (w, accumulators, rows, begins);
  take_block (w, accumulators, (const char *) w->piece[0].data + skipped, w->r->y ? (const char *) w->piece[1].data + skipped : NULL,
              rows.first, rows.end - rows.first, here, begins);
  return GPR_OK;
}

/* ---- accumulators ----------------------------------------------------------------------------- */

static gpr_status
allocate (const gpr_over_ranks *w, char **p)
{
  *p = malloc (w->level_bytes);
  return *p ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", w->level_bytes);
}

gpr_status
gpr_carry_begin (gpr_over_ranks *w, gpr_carry *c)
{
  const int64_t part_rows = w->job.tree.rows, last = w->parts.end - 1;
  gpr_status status = GPR_OK;

  *c = (gpr_carry) { .head = gpr_rows_to_give (w->rows, part_rows) };
  if (c->head.end > c->head.first)
    {
      status = allocate (w, &c->before);
      if (status == GPR_OK)
        status = gpr_post_receive (&c->first, rank_of (w, c->head.first - 1), GPR_POST_ROWS, c->before, w->level_bytes);
    }
  c->shared = w->parts.end > w->parts.first && end_of (w, last) > w->rows.end;
  if (! c->shared || status != GPR_OK)
    return status;
  status = allocate (w, &c->begun);
  if (status == GPR_OK)
    status = allocate (w, &c->whole);
  if (status == GPR_OK)
    status = take (w, c->begun, (gpr_span) { last * part_rows, w->rows.end }, true);
  if (status == GPR_OK)
    status = gpr_post_send (&c->rest, rank_of (w, w->rows.end), GPR_POST_ROWS, c->begun, w->level_bytes);
  if (status == GPR_OK)
    status = gpr_post_receive (&c->rest, rank_of (w, end_of (w, last) - 1), GPR_POST_PIECES, c->whole, w->level_bytes);
  return status;
}

gpr_status
gpr_carry_end (gpr_over_ranks *w, gpr_carry *c, gpr_status status, char *to)
{
  const int64_t part = c->head.first / w->job.tree.rows;
  bool leaks[2];

  status = gpr_post_wait (&c->first, status, &leaks[0]);
  if (status == GPR_OK && c->before)
    {
      const bool ends = c->head.end == end_of (w, part);
      status = take (w, c->before, c->head, false);
      if (status == GPR_OK)
        status = gpr_post_send (&c->rest, rank_of (w, ends ? part * w->job.tree.rows : c->head.end), ends ? GPR_POST_PIECES : GPR_POST_ROWS,
                                c->before, w->level_bytes);
    }
  if (status == GPR_OK && gpr_interrupted ())
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  status = gpr_post_wait (&c->rest, status, &leaks[1]);
  if (status == GPR_OK && c->shared)
    memcpy (to, c->whole, w->level_bytes);
  if (! leaks[0] && ! leaks[1])
    {
      free (c->before);
      free (c->begun);
      free (c->whole);
    }
  return status;
}
