/* Cumulative sums and products along the divided dimension: the tiles of rows that two or more GPUs have some of (ranks/scan_tiles.c).  The GPU that owns
   such a tile has memory for it, to which its rows come from the others, and from which its results go to them.  */

#include "../core/scan.h"
#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "tiles.h"

static gpr_status
bring (const gpr_near *near)
{
  const gpr_tile *t = (const gpr_tile *) near;
  return gpr_spread_fetch (t->x, t->from, t->bytes, t->device, near->x);
}

static gpr_status
put (const gpr_near *near)
{
  const gpr_tile *t = (const gpr_tile *) near;
  return gpr_spread_store (t->y, t->from, t->bytes, t->device, near->y);
}

static bool
is_in_tiles (const gpr_scanning *s, const gpr_division *d)
{
  return d->how == GPR_DIVIDED_ALONG && d->x->count > 1 && s->out_resident && gpr_cuda ()->backend.scan_piece && s->length > GPR_SCAN_SHORT
         && (s->op == GPR_SCAN_cumsum || s->op == GPR_SCAN_cumprod);
}

gpr_status
gpr_tiles_open (gpr_tiles *g, const gpr_scanning *s, const gpr_division *d)
{
  const gpr_scan_parts *parts = is_in_tiles (s, d) ? gpr_cpu_scan_parts (s->op, s->elem) : NULL;
  gpr_status status = GPR_OK;

  *g = (gpr_tiles) { .count = parts ? d->x->count : 0 };
  const int64_t rows = parts ? gpr_scan_tile_rows (s->inner, parts->steps) : 1, row_bytes = s->inner * d->elem_bytes;
  for (int k = 0; k < g->count && status == GPR_OK; k++)
    {
      const gpr_span mine = gpr_span_of (d->starts, k), owned = gpr_parts_owned (mine, rows);
      gpr_tile *t = &g->of[k];
      *t = (gpr_tile) { .near = { .bring = bring, .put = put }, .x = d->x, .y = s->y, .device = d->x->device[k] };
      if (owned.end == owned.first)
        continue;
      const gpr_span last = gpr_rows_of_part (owned.end - 1, rows, d->length);
      if (last.end <= mine.end)
        continue;
      t->from = last.first * row_bytes;
      t->bytes = (last.end - last.first) * row_bytes;
      status = gpr_spread_take (t->device, t->bytes, &t->near.x);
      if (status == GPR_OK)
        status = gpr_spread_take (t->device, t->bytes, &t->near.y);
    }
  if (status != GPR_OK)
    gpr_tiles_close (g);
  return status == GPR_OUT_OF_MEMORY ? GPR_OK : status;         /* then they go by way of the host */
}

void
gpr_tiles_close (gpr_tiles *g)
{
  for (int k = 0; k < g->count; k++)
    {
      gpr_cuda ()->backend.release (g->of[k].near.x);
      gpr_cuda ()->backend.release (g->of[k].near.y);
    }
  g->count = 0;
}
