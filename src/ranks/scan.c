/* Cumulative functions along the divided dimension, whose results are divided as X is.

   Sums and products have the order of the whole array's tiles (kernels/ops/scan.h).  A rank owns the tiles whose first rows it holds
   (parts.h); rows of a tile that begins on a rank before go there, and their results come back.  Each rank finds what its tiles add
   up to; then what all tiles before come to goes from rank to rank, in the order of the tiles, and each does its rows.  Short columns, and
   those that must be done again in the built-in's order, go from rank to rank row by row.

   Extremes are the same in any order: each rank does its rows, and what the columns have come to goes from rank to rank.

   Where a rank's rows lie on a device, and its results are to, that does them (gpr_backend.scan_piece), but for tiles that ranks
   share and columns that must be done again.  */

#include <stdlib.h>
#include <string.h>

#include "../core/system.h"
#include "scanning.h"

enum { MANY = 4096 };           /* columns, an estimate: a device's threads go down so many side by side sooner than they come to the host */

/* ---- the built-in's order ---------------------------------------------------------------------- */

static gpr_status
before_order (void *of, int64_t column, int64_t columns)
{
  const gpr_scan_over_ranks *w = of;
  return gpr_scan_take_before (w, w->rows, (size_t) column * w->parts->acc_bytes, (size_t) columns * w->parts->acc_bytes);
}

static gpr_status
after_order (void *of, int64_t column, int64_t columns)
{
  const gpr_scan_over_ranks *w = of;
  return gpr_scan_pass_on (w, w->rows, (size_t) column * w->parts->acc_bytes, (size_t) columns * w->parts->acc_bytes);
}

/* All columns: by so many at once as others pass on.  */
static gpr_status
by_columns (gpr_scan_over_ranks *w, gpr_status (*pass) (void *of, int64_t column, int64_t columns))
{
  const int64_t inner = w->own.inner, each = gpr_scan_passed (inner);
  gpr_status status = GPR_OK;
  for (int64_t c = 0; c < inner && status == GPR_OK; c += each)
    status = pass (w, c, inner - c < each ? inner - c : each);
  return status;
}

static gpr_status
in_builtin_order (gpr_scan_over_ranks *w)
{
  gpr_status status = GPR_OK;

  w->elsewhere = 0;
  if (w->home && w->own.length > 0 && (w->whole <= GPR_SCAN_SHORT || w->own.inner >= MANY))
    {
      gpr_scan_piece p = { .s = w->own, .above = w->rows.first, .in_order = true, .before = before_order, .after = after_order };
      status = gpr_scan_try_there (w, &p);
    }
  else if (w->home)
    status = gpr_scan_come_here (w);
  if (status != GPR_OK || w->home)
    return status;
  status = by_columns (w, before_order);
  if (status == GPR_OK && w->own.length > 0)
    w->parts->go_on (&w->own, w->rows.first > 0, w->level);
  if (status == GPR_OK && gpr_interrupted ())
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  return status == GPR_OK ? by_columns (w, after_order) : status;
}

/* ---- sums and products ------------------------------------------------------------------------ */

/* Devices that are near each other leave few columns to one of them, which is sooner done than the host; all ranks alike.  */
static gpr_status
again_in_order (gpr_scan_over_ranks *w)
{
  if (w->near && w->own.inner < MANY)
    return gpr_fail (GPR_UNSUPPORTED, "few columns that leave the range are done by one device");
  return in_builtin_order (w);
}

static gpr_status
sums (gpr_scan_over_ranks *w)
{
  if (w->whole <= GPR_SCAN_SHORT)
    return in_builtin_order (w);
  gpr_status status = gpr_scan_by_tiles (w);
  int64_t lost = w->lost;
  if (status == GPR_OK)
    status = gpr_world_combine (&lost, 1, sizeof lost, gpr_add_integers);
  return status == GPR_OK && lost ? again_in_order (w) : status;
}

/* ---- extremes --------------------------------------------------------------------------------- */

/* A level is accumulators, and behind them the first row of all, unless that is brought (near).  */
static size_t
passed_bytes (const gpr_scan_over_ranks *w)
{
  return w->level_bytes + (w->near ? 0 : w->row_bytes);
}

static gpr_status
bring_first (const gpr_scan_over_ranks *w)
{
  gpr_status status = w->near->bring (w->near);
  return status == GPR_OK && ! w->home ? w->piece->home->download (w->level + w->level_bytes, w->near->x, w->row_bytes) : status;
}
static gpr_status
before_extremes (void *of, int64_t column, int64_t columns)
{
  const gpr_scan_over_ranks *w = of;
  const gpr_status status = w->near && w->rows.first > 0 && w->own.length > 0 ? bring_first (w) : GPR_OK;
  (void) column;
  (void) columns;
  return status == GPR_OK ? gpr_scan_take_before (w, w->rows, 0, passed_bytes (w)) : status;
}

static gpr_status
after_extremes (void *of, int64_t column, int64_t columns)
{
  const gpr_scan_over_ranks *w = of;
  gpr_status status = GPR_OK;
  (void) column;
  (void) columns;
  if (w->rows.first == 0 && w->own.length > 0 && ! w->near)
    status = gpr_piece_read (w->piece, 0, w->row_bytes, w->level + w->level_bytes);
  return status == GPR_OK ? gpr_scan_pass_on (w, w->rows, 0, passed_bytes (w)) : status;
}

static gpr_status
extremes_here (gpr_scan_over_ranks *w)
{
  const bool some = w->own.length > 0;
  gpr_status status = some ? gpr_cpu_scan (&w->own) : GPR_OK;

  if (status == GPR_OK)
    status = before_extremes (w, 0, 0);
  if (status != GPR_OK)
    return status;
  memcpy (w->then, w->level, w->level_bytes);
  if (some)
    w->parts->last (&w->own, w->rows.first, w->total);
  if (some && w->rows.first == 0)
    memcpy (w->level, w->total, w->level_bytes);
  for (int64_t c = 0; c < w->own.inner && some && w->rows.first > 0; c++)
    w->parts->merge (w->level + c * w->parts->acc_bytes, w->total + c * w->parts->acc_bytes);
  status = after_extremes (w, 0, 0);
  if (status == GPR_OK && some && w->rows.first > 0)
    w->parts->put_behind (&w->own, w->rows.first, w->level + w->level_bytes, w->then);
  return status;
}

static gpr_status
extremes (gpr_scan_over_ranks *w)
{
  gpr_status status = GPR_OK;

  if (w->home && w->own.length > 0)
    {
      gpr_scan_piece p = { .s = w->own, .above = w->rows.first, .top = w->near ? w->near->x : w->level + w->level_bytes, .before = before_extremes, .after = after_extremes };
      status = gpr_scan_try_there (w, &p);
    }
  return status == GPR_OK && (! w->home || w->own.length == 0) ? extremes_here (w) : status;
}

static gpr_status
scan_slab (const gpr_scanning *s)
{
  const gpr_piece *x = s->x;
  gpr_scan_over_ranks w = { .own = *s, .piece = x, .whole = s->length, .starts = x->starts, .near = x->near };
  gpr_status status = gpr_world_check (&w.world);

  if (status != GPR_OK || ! (w.parts = gpr_cpu_scan_parts (s->op, s->elem)))
    return status != GPR_OK ? status : GPR_UNSUPPORTED;
  w.rows = gpr_span_of (w.starts, w.world.rank);
  w.row_bytes = (size_t) s->inner * gpr_elem_bytes[s->elem];
  w.level_bytes = (size_t) s->inner * w.parts->acc_bytes;
  w.own.x = x->data;
  w.own.x_resident = gpr_on_device (x);
  w.own.length = w.rows.end - w.rows.first;
  w.home = gpr_on_device (x) && s->out_resident && x->home->scan_piece ? x->home : NULL;
  if (w.world.size == 1)        /* the same, in one reading */
    return gpr_on_device (x) ? x->home->scan (&w.own) : gpr_cpu_scan (&w.own);
  w.total = gpr_system_allocate (3 * w.level_bytes + w.row_bytes);     /* accumulators are aligned; the first row is behind the level */
  w.then = w.total + w.level_bytes;
  w.level = w.then + w.level_bytes;
  status = ! w.total ? gpr_scan_no_memory (3 * w.level_bytes + w.row_bytes) : gpr_on_device (x) && ! w.home ? gpr_scan_come_here (&w) : GPR_OK;
  if (status == GPR_OK)
    status = s->op == GPR_SCAN_cummax || s->op == GPR_SCAN_cummin ? extremes (&w) : sums (&w);
  status = gpr_scan_go_back (&w, s, status);
  free (w.total);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

/* Outer indices one after the other: each has columns that are put in order again together.  */
gpr_status
gpr_ranks_scan (gpr_scanning *s)
{
  const gpr_piece *x = s->x;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK || s->outer == 1)
    return status == GPR_OK ? scan_slab (s) : status;
  const int64_t elements = s->inner * gpr_own_rows (x, &w, s->length);
  const size_t bytes = (size_t) elements * gpr_elem_bytes[s->elem];
  for (int64_t o = 0; o < s->outer && status == GPR_OK; o++)
    {
      gpr_piece slab = *x;
      gpr_scanning one = *s;
      slab.data = (const char *) x->data + o * bytes;
      slab.here = NULL;
      slab.outer = 1;
      one.x = &slab;
      one.y = (char *) s->y + o * bytes;
      one.index = s->index ? s->index + o * elements : NULL;
      one.outer = 1;
      status = scan_slab (&one);
      gpr_piece_forget (&slab);
    }
  return status;
}
