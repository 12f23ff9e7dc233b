/* Cumulative sums and products of more rows than the built-in's order is kept for: by the whole array's tiles (scan.c).  */

#include <stdlib.h>
#include <string.h>

#include "scanning.h"

/* ---- rows that travel ------------------------------------------------------------------------ */

/* Those at the beginning of rank k's rows that belong to a tile which begins before.  */
static gpr_span
given_by (const gpr_scan_over_ranks *w, int k)
{
  const gpr_span rows = gpr_rows_to_give (gpr_span_of (w->starts, k), w->tile_rows);
  return (gpr_span) { rows.first, rows.end > rows.first ? rows.end : rows.first };
}

static int
owner_of (const gpr_scan_over_ranks *w, int64_t row)
{
  return gpr_rank_of_row (w->starts, w->world.size, row / w->tile_rows * w->tile_rows);
}

/* To the owners of their tiles; and the whole of the last tile that this rank owns.  */
static gpr_status
send_rows (gpr_scan_over_ranks *w)
{
  const gpr_span give = given_by (w, w->world.rank);
  gpr_status status = GPR_OK;

  if (w->given_bytes > 0)
    {
      status = gpr_piece_read (w->piece, 0, w->given_bytes, w->given);
      if (status == GPR_OK)
        status = gpr_post_send (&w->post, owner_of (w, give.first), GPR_POST_ROWS, w->given, w->given_bytes);
    }
  if (w->x && status == GPR_OK)
    status = gpr_piece_read (w->piece, (size_t) ((w->last.first - w->rows.first) * w->row_bytes), (size_t) ((w->rows.end - w->last.first) * w->row_bytes), w->x);
  for (int k = w->world.rank + 1; w->x && k < w->world.size && w->starts[k] < w->last.end && status == GPR_OK; k++)
    {
      const gpr_span theirs = given_by (w, k);
      status = gpr_post_receive (&w->post, k, GPR_POST_ROWS, w->x + (theirs.first - w->last.first) * w->row_bytes,
                                 (theirs.end - theirs.first) * w->row_bytes);
    }
  return status;
}

static gpr_status
wait (gpr_scan_over_ranks *w, gpr_status status)
{
  bool leaks;
  status = gpr_post_wait (&w->post, status, &leaks);
  w->leaks |= leaks;
  return status;
}

/* The results of such rows back to their ranks.  */
static gpr_status
return_rows (gpr_scan_over_ranks *w)
{
  gpr_status status = GPR_OK;

  if (w->given_bytes > 0)
    status = gpr_post_receive (&w->post, owner_of (w, given_by (w, w->world.rank).first), GPR_POST_PIECES, w->given, w->given_bytes);
  for (int k = w->world.rank + 1; w->y && ! w->near && k < w->world.size && w->starts[k] < w->last.end && status == GPR_OK; k++)
    {
      const gpr_span theirs = given_by (w, k);
      status = gpr_post_send (&w->post, k, GPR_POST_PIECES, w->y + (theirs.first - w->last.first) * w->row_bytes,
                              (theirs.end - theirs.first) * w->row_bytes);
    }
  return wait (w, status);
}

static gpr_status
put_rows (gpr_scan_over_ranks *w)
{
  gpr_status status = gpr_scan_put_rows (w, 0, w->given, w->given_bytes);
  if (status == GPR_OK && w->y)
    status = gpr_scan_put_rows (w, w->last.first - w->rows.first, w->y, (size_t) ((w->rows.end - w->last.first) * w->row_bytes));
  return status;
}

/* ---- sums and products ------------------------------------------------------------------------ */

/* A problem of rows that lie from this one on, with memory as if row 0 were there.  */
static gpr_scanning
told_from_0 (const gpr_scan_over_ranks *w, const void *x, void *y, int64_t first, int64_t end)
{
  gpr_scanning s = w->own;
  s.x = (const void *) ((uintptr_t) x - (uintptr_t) first * w->row_bytes);
  s.y = (void *) ((uintptr_t) y - (uintptr_t) first * w->row_bytes);
  s.length = end;
  return s;
}

/* Rows of the shared tile, as if row 0 were there.  */
static gpr_scanning
shared_tile (const gpr_scan_over_ranks *w)
{
  return told_from_0 (w, w->x, w->y, w->last.first, w->last.end);
}

static gpr_status
before_tiles (void *of, int64_t column, int64_t columns)
{
  gpr_scan_over_ranks *w = of;
  (void) column;
  (void) columns;               /* all at once */
  const gpr_scanning last = shared_tile (w);
  gpr_status status = wait (w, GPR_OK);
  if (status == GPR_OK && w->x)
    status = gpr_cpu_scan_totals (&last, w->last.first, w->total);
  return status == GPR_OK ? gpr_scan_take_before (w, w->tiles, 0, w->level_bytes) : status;
}

/* level is of the tiles that are wholly here, too.  */
static gpr_status
after_tiles (void *of, int64_t column, int64_t columns)
{
  gpr_scan_over_ranks *w = of;
  char *level = w->level;

  if (w->x)
    {
      memcpy (w->then, level, w->level_bytes);
      if (w->last.first == 0)
        memcpy (level, w->total, w->level_bytes);
      for (int64_t c = column; c < columns && w->last.first > 0; c++)
        w->parts->merge (level + c * w->parts->acc_bytes, w->total + c * w->parts->acc_bytes);
    }
  return gpr_scan_pass_on (w, w->tiles, 0, w->level_bytes);
}

/* The shared tile, and its results to where they belong.  */
static gpr_status
do_shared (void *of)
{
  gpr_scan_over_ranks *w = of;
  gpr_scanning last = shared_tile (w);
  const gpr_status status = w->x ? gpr_cpu_scan_piece (&last, w->last.first, w->then, &w->lost) : GPR_OK;
  return status == GPR_OK ? return_rows (w) : status;
}

/* The tiles that are wholly in this rank's host memory; totals: of each.  */
static gpr_status
do_tiles_here (gpr_scan_over_ranks *w, int64_t first, int64_t end, char *totals, char *before)
{
  gpr_scanning mine = told_from_0 (w, w->own.x, w->own.y, w->rows.first, end);
  const int64_t tiles = (end - first + w->tile_rows - 1) / w->tile_rows;
  gpr_status status = tiles > 0 ? gpr_cpu_scan_totals (&mine, first, totals) : GPR_OK;

  if (status == GPR_OK)
    status = before_tiles (w, 0, w->own.inner);
  if (status != GPR_OK)
    return status;
  memcpy (before, w->level, w->level_bytes);
  for (int64_t t = 0; t < tiles; t++)
    if (first + t == 0)
      memcpy (w->level, totals, w->level_bytes);
    else
      for (int64_t c = 0; c < w->own.inner; c++)
        w->parts->merge (w->level + c * w->parts->acc_bytes, totals + t * w->level_bytes + c * w->parts->acc_bytes);
  status = after_tiles (w, 0, w->own.inner);
  if (status == GPR_OK && tiles > 0)
    status = gpr_cpu_scan_piece (&mine, first, before, &w->lost);
  return status == GPR_OK ? do_shared (w) : status;
}

/* The tiles that this rank owns, by the device that has the rows; a shared one there too, if its memory is (near).  */
static gpr_status
do_tiles_there (gpr_scan_over_ranks *w, int64_t first, int64_t end)
{
  const int64_t skipped = (first - w->rows.first) * (int64_t) w->row_bytes;
  const bool tile = w->near && w->shares;
  gpr_scan_piece p = { .s = w->own, .above = first, .before = before_tiles, .after = after_tiles, .meanwhile = do_shared };

  p.s.x = (const char *) w->own.x + skipped;
  p.s.y = (char *) w->own.y + skipped;
  p.s.length = end - first;
  if (tile)
    p.tile = (gpr_scan_rows) { w->near->x, w->near->y, w->last.end - w->last.first };
  const gpr_status status = gpr_scan_try_there (w, &p);
  return status == GPR_OK && w->home && tile ? w->near->put (w->near) : status;
}

static gpr_status
take_tile (gpr_scan_over_ranks *w)
{
  const size_t bytes = (size_t) (w->last.end - w->last.first) * w->row_bytes;
  w->x = malloc (bytes);
  w->y = malloc (bytes);
  return w->x && w->y ? GPR_OK : gpr_scan_no_memory (2 * bytes);
}

/* In host memory; so a shared tile comes there from where it is near.  */
static gpr_status
do_tiles_on_host (gpr_scan_over_ranks *w, int64_t first, int64_t end)
{
  const size_t bytes = (size_t) (w->last.end - w->last.first) * w->row_bytes, totals_bytes = (size_t) ((end - first) / w->tile_rows + 2) * w->level_bytes;
  const bool tile = w->near && w->shares;
  char *totals = malloc (totals_bytes);
  gpr_status status = ! totals ? gpr_scan_no_memory (totals_bytes) : tile ? take_tile (w) : GPR_OK;

  if (status == GPR_OK && tile)
    status = w->piece->home->download (w->x, w->near->x, bytes);
  if (status == GPR_OK)
    status = do_tiles_here (w, first, end, totals, totals + totals_bytes - w->level_bytes);
  if (status == GPR_OK && tile)
    status = w->piece->home->upload (w->near->y, w->y, bytes);
  if (status == GPR_OK && tile)
    status = w->near->put (w->near);
  free (totals);
  return status;
}

static gpr_status
do_tiles (gpr_scan_over_ranks *w)
{
  const int64_t first = w->tiles.first * w->tile_rows, until = w->shares ? w->last.first : w->rows.end, end = until > first ? until : first;
  const bool some = end > first || (w->near && w->shares);
  gpr_status status = ! w->near ? send_rows (w) : w->shares ? w->near->bring (w->near) : GPR_OK;

  if (status == GPR_OK && w->home && some)
    status = do_tiles_there (w, first, end);
  if (status == GPR_OK && (! w->home || ! some))
    status = do_tiles_on_host (w, first, end);
  return wait (w, status);      /* after an error some may be on their way */
}

gpr_status
gpr_scan_by_tiles (gpr_scan_over_ranks *w)
{
  w->tile_rows = gpr_scan_tile_rows (w->own.inner, w->parts->steps);
  const gpr_span give = given_by (w, w->world.rank);
  w->elsewhere = w->near ? give.end - give.first : 0;
  w->given_bytes = w->near ? 0 : (size_t) (give.end - give.first) * w->row_bytes;
  w->tiles = gpr_parts_owned (w->rows, w->tile_rows);
  w->last = gpr_rows_shared (w->rows, w->tile_rows, w->whole);
  w->shares = w->last.end > w->last.first;
  w->given = malloc (w->given_bytes + 1);
  gpr_status status = ! w->given ? gpr_scan_no_memory (w->given_bytes) : w->shares && ! w->near ? take_tile (w) : GPR_OK;
  if (status == GPR_OK)
    status = do_tiles (w);
  if (status == GPR_OK)
    status = put_rows (w);
  if (! w->leaks)
    {
      free (w->given);
      free (w->x);
      free (w->y);
    }
  return status;
}
