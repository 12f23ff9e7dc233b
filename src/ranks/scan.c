/* Cumulative functions along the divided dimension, whose results are divided as X is.

   Sums and products have the order of the whole array's tiles (kernels/ops/scan.h).  A rank owns the tiles whose first rows it holds
   (parts.h); rows of a tile that begins on a rank before go there, and their results come back.  Each rank finds what its tiles add
   up to; then what all tiles before come to goes from rank to rank, in the order of the tiles, and each does its rows.  Short columns, and
   those that must be done again in the built-in's order, go from rank to rank row by row.

   Extremes are the same in any order: each rank does its rows, and what the columns have come to goes from rank to rank.  */

#include <stdlib.h>
#include <string.h>

#include "../core/scan.h"
#include "../cpu/cpu.h"
#include "parts.h"
#include "ranks.h"

typedef struct {
  gpr_scanning own;             /* of this rank's rows */
  const gpr_scan_parts *parts;
  gpr_world world;
  const int64_t *starts;        /* rows of each rank */
  gpr_span rows, tiles;         /* this rank's; that it owns */
  int64_t tile_rows, whole;     /* rows of a tile, of all */
  size_t row_bytes, level_bytes;        /* of a row's elements, and accumulators */
  char *x, *y;                  /* the last tile that it owns, where some of it is others' */
  gpr_span last;                /* its rows; none: it has all */
  bool lost;
} over_ranks;

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* ---- from rank to rank --------------------------------------------------------------------- */

/* What the rows or tiles before this rank's come to; nothing, where there are none.  */
static gpr_status
take_before (const over_ranks *w, gpr_span mine, char *before, size_t bytes)
{
  return mine.first > 0 ? gpr_world_receive (w->world.rank - 1, GPR_POST_TREES, before, bytes) : GPR_OK;
}

static gpr_status
pass_on (const over_ranks *w, gpr_span mine, const char *then, size_t bytes)
{
  return mine.end > 0 && w->world.rank + 1 < w->world.size ? gpr_world_send (w->world.rank + 1, GPR_POST_TREES, then, bytes) : GPR_OK;
}

static gpr_status
in_builtin_order (over_ranks *w)
{
  char *before = malloc (w->level_bytes);
  gpr_status status = before ? take_before (w, w->rows, before, w->level_bytes) : no_memory (w->level_bytes);

  if (status == GPR_OK && w->own.length > 0)
    w->parts->go_on (&w->own, w->rows.first > 0, before);
  if (status == GPR_OK && gpr_interrupted ())
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  if (status == GPR_OK)
    status = pass_on (w, w->rows, before, w->level_bytes);
  free (before);
  return status;
}

/* ---- rows that travel ------------------------------------------------------------------------ */

/* Those at the beginning of rank k's rows that belong to a tile which begins before.  */
static gpr_span
given_by (const over_ranks *w, int k)
{
  const gpr_span rows = gpr_rows_to_give (gpr_span_of (w->starts, k), w->tile_rows);
  return (gpr_span) { rows.first, rows.end > rows.first ? rows.end : rows.first };
}

static int
owner_of (const over_ranks *w, int64_t row)
{
  return gpr_rank_of_row (w->starts, w->world.size, row / w->tile_rows * w->tile_rows);
}

/* To the owners of their tiles; and the whole of the last tile that this rank owns.  *leaks: room is still written to.  */
static gpr_status
bring_rows (over_ranks *w, char *given, bool *leaks)
{
  const gpr_span give = given_by (w, w->world.rank);
  const size_t bytes = (size_t) (give.end - give.first) * w->row_bytes;
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;

  if (bytes > 0)
    {
      memcpy (given, w->own.x, bytes);
      status = gpr_post_send (&p, owner_of (w, give.first), GPR_POST_ROWS, given, bytes);
    }
  if (w->x)
    memcpy (w->x, (const char *) w->own.x + (w->last.first - w->rows.first) * w->row_bytes, (w->rows.end - w->last.first) * w->row_bytes);
  for (int k = w->world.rank + 1; w->x && k < w->world.size && w->starts[k] < w->last.end && status == GPR_OK; k++)
    {
      const gpr_span theirs = given_by (w, k);
      status = gpr_post_receive (&p, k, GPR_POST_ROWS, w->x + (theirs.first - w->last.first) * w->row_bytes,
                                 (theirs.end - theirs.first) * w->row_bytes);
    }
  return gpr_post_wait (&p, status, leaks);
}

/* The results of such rows back to their ranks.  */
static gpr_status
return_rows (over_ranks *w, char *given, bool *leaks)
{
  const gpr_span give = given_by (w, w->world.rank);
  const size_t bytes = (size_t) (give.end - give.first) * w->row_bytes;
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;

  if (bytes > 0)
    status = gpr_post_receive (&p, owner_of (w, give.first), GPR_POST_PIECES, given, bytes);
  for (int k = w->world.rank + 1; w->y && k < w->world.size && w->starts[k] < w->last.end && status == GPR_OK; k++)
    {
      const gpr_span theirs = given_by (w, k);
      status = gpr_post_send (&p, k, GPR_POST_PIECES, w->y + (theirs.first - w->last.first) * w->row_bytes,
                              (theirs.end - theirs.first) * w->row_bytes);
    }
  status = gpr_post_wait (&p, status, leaks);
  if (status == GPR_OK && bytes > 0)
    memcpy (w->own.y, given, bytes);
  if (status == GPR_OK && w->y)
    memcpy ((char *) w->own.y + (w->last.first - w->rows.first) * w->row_bytes, w->y, (w->rows.end - w->last.first) * w->row_bytes);
  return status;
}

/* ---- sums and products ------------------------------------------------------------------------ */

/* A problem of rows that lie from this one on, with memory as if row 0 were there.  */
static gpr_scanning
told_from_0 (const over_ranks *w, const void *x, void *y, int64_t first, int64_t end)
{
  gpr_scanning s = w->own;
  s.x = (const void *) ((uintptr_t) x - (uintptr_t) first * w->row_bytes);
  s.y = (void *) ((uintptr_t) y - (uintptr_t) first * w->row_bytes);
  s.length = end;
  return s;
}

/* What the columns come to: before this rank's tiles, before the last of them, and after it; levels has these three.  */
static gpr_status
fold_tiles (over_ranks *w, gpr_scanning *mine, gpr_scanning *last, char *levels)
{
  const int64_t first = w->tiles.first * w->tile_rows, tiles = w->tiles.end - w->tiles.first;
  const size_t bytes = w->level_bytes;
  char *totals = malloc (tiles > 0 ? tiles * bytes : 1), *then = levels + 2 * bytes;
  gpr_status status = totals ? GPR_OK : no_memory (tiles * bytes);

  if (status == GPR_OK && mine->length > first)
    status = gpr_cpu_scan_totals (mine, first, totals);
  if (status == GPR_OK && w->x)
    status = gpr_cpu_scan_totals (last, w->last.first, totals + (tiles - 1) * bytes);
  if (status == GPR_OK)
    status = take_before (w, w->tiles, levels, bytes);
  if (status == GPR_OK)
    memcpy (then, levels, bytes);
  for (int64_t t = 0; t < tiles && status == GPR_OK; t++)
    {
      if (t == tiles - 1)
        memcpy (levels + bytes, then, bytes);
      if (w->tiles.first + t == 0)
        memcpy (then, totals, bytes);
      else
        for (int64_t c = 0; c < w->own.inner; c++)
          w->parts->merge (then + c * w->parts->acc_bytes, totals + t * bytes + c * w->parts->acc_bytes);
    }
  if (status == GPR_OK)
    status = pass_on (w, w->tiles, then, bytes);
  free (totals);
  return status;
}

static gpr_status
do_tiles (over_ranks *w, char *levels)
{
  const int64_t first = w->tiles.first * w->tile_rows, end = w->x ? w->last.first : w->rows.end;
  gpr_scanning mine = told_from_0 (w, w->own.x, w->own.y, w->rows.first, end), last = told_from_0 (w, w->x, w->y, w->last.first, w->last.end);
  gpr_status status = fold_tiles (w, &mine, &last, levels);

  if (status == GPR_OK && w->tiles.end > w->tiles.first && end > first)
    status = gpr_cpu_scan_piece (&mine, first, levels, &w->lost);
  if (status == GPR_OK && w->x)
    status = gpr_cpu_scan_piece (&last, w->last.first, levels + w->level_bytes, &w->lost);
  return status;
}

static gpr_status
by_tiles (over_ranks *w)
{
  bool leaks = false;
  gpr_status status = GPR_OK;

  w->tile_rows = gpr_scan_tile_rows (w->own.inner, w->parts->steps);
  const gpr_span give = given_by (w, w->world.rank);
  const size_t given_bytes = (size_t) (give.end - give.first) * w->row_bytes;
  w->tiles = gpr_parts_owned (w->rows, w->tile_rows);
  if (w->tiles.end > w->tiles.first)
    w->last = gpr_rows_of_part (w->tiles.end - 1, w->tile_rows, w->whole);
  const size_t shared = w->last.end > w->rows.end ? (size_t) (w->last.end - w->last.first) * w->row_bytes : 0;
  char *given = malloc (given_bytes + 1), *levels = calloc (3, w->level_bytes);
  if (shared > 0)
    {
      w->x = malloc (shared);
      w->y = malloc (shared);
    }
  if (! given || ! levels || (shared > 0 && (! w->x || ! w->y)))
    status = no_memory (given_bytes + 3 * w->level_bytes + 2 * shared);
  if (status == GPR_OK)
    status = bring_rows (w, given, &leaks);
  if (status == GPR_OK)
    status = do_tiles (w, levels);
  if (status == GPR_OK)
    status = return_rows (w, given, &leaks);
  if (! leaks)
    {
      free (given);
      free (w->x);
      free (w->y);
    }
  free (levels);
  return status;
}

static gpr_status
sums (over_ranks *w)
{
  int64_t lost = 0;
  gpr_status status = GPR_OK;

  if (w->whole > GPR_SCAN_SHORT)
    {
      status = by_tiles (w);
      lost = w->lost;
      if (status == GPR_OK)
        status = gpr_world_combine (&lost, 1, sizeof lost, gpr_add_integers);
    }
  return status == GPR_OK && (w->whole <= GPR_SCAN_SHORT || lost) ? in_builtin_order (w) : status;
}

/* ---- extremes --------------------------------------------------------------------------------- */

/* A level: accumulators, and behind them the first row of all.  */
static gpr_status
extremes (over_ranks *w)
{
  const size_t bytes = w->level_bytes + w->row_bytes;
  char *before = malloc (3 * bytes), *own = before + bytes, *then = own + bytes;
  gpr_status status = before ? GPR_OK : no_memory (3 * bytes);

  if (status == GPR_OK && w->own.length > 0)
    status = gpr_cpu_scan (&w->own);
  if (status == GPR_OK)
    status = take_before (w, w->rows, before, bytes);
  if (status == GPR_OK && w->own.length > 0)
    w->parts->last (&w->own, w->rows.first, own);
  if (status == GPR_OK && w->rows.first > 0)
    {
      memcpy (then, before, bytes);
      for (int64_t c = 0; c < w->own.inner && w->own.length > 0; c++)
        w->parts->merge (then + c * w->parts->acc_bytes, own + c * w->parts->acc_bytes);
    }
  else if (status == GPR_OK && w->own.length > 0)
    {
      memcpy (then, own, w->level_bytes);
      memcpy (then + w->level_bytes, w->own.x, w->row_bytes);
    }
  if (status == GPR_OK)
    status = pass_on (w, w->rows, then, bytes);
  if (status == GPR_OK && w->rows.first > 0 && w->own.length > 0)
    w->parts->put_behind (&w->own, w->rows.first, before + w->level_bytes, before);
  free (before);
  return status;
}

gpr_status
gpr_ranks_scan (gpr_scanning *s)
{
  const gpr_piece *x = s->x;
  over_ranks w = { .own = *s, .whole = s->length, .starts = x->starts };
  gpr_status status = gpr_world_check (&w.world);

  if (status != GPR_OK || ! (w.parts = gpr_cpu_scan_parts (s->op, s->elem)))
    return status != GPR_OK ? status : GPR_UNSUPPORTED;
  w.rows = gpr_span_of (w.starts, w.world.rank);
  w.row_bytes = (size_t) s->inner * gpr_elem_bytes[s->elem];
  w.level_bytes = (size_t) s->inner * w.parts->acc_bytes;
  w.own.x = x->data;
  w.own.x_resident = false;
  w.own.length = w.rows.end - w.rows.first;
  if (w.world.size == 1)        /* the same, in one reading */
    return gpr_cpu_scan (&w.own);
  status = s->op == GPR_SCAN_cummax || s->op == GPR_SCAN_cummin ? extremes (&w) : sums (&w);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}
