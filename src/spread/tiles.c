/* Cumulative functions along the divided dimension.  Of sums and products, the tiles of rows that two or more GPUs have some of (ranks/scan_tiles.c): the GPU
   that owns such a tile has memory for it, to which its rows come from the others, and from which its results go to them.  Of extremes, the first row of all.
   What the columns come to goes from GPU to GPU too.  */

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

static gpr_status
take_level (const gpr_near *near, size_t first, size_t bytes, void *host)
{
  const gpr_tile *t = (const gpr_tile *) near, *before = t - 1;
  char *to = (char *) near->level + first;
  int failed;
  const gpr_cuda_transfer one = { .to_device = t->device, .from_device = before->device, .to = to, .from = (char *) before->near.level + first, .bytes = bytes };
  gpr_status status = gpr_cuda ()->copy (&one, 1, &failed);
  if (status == GPR_OK && host)
    status = gpr_cuda ()->backend.download (host, to, bytes);
  return status;
}

static gpr_status
put_level (const gpr_near *near, size_t first, size_t bytes, const void *host)
{
  return gpr_cuda ()->backend.upload ((char *) near->level + first, host, bytes);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool
is_near (const gpr_scanning *s, const gpr_division *d)
{
  return d->how == GPR_DIVIDED_ALONG && d->x->count > 1 && s->out_resident && gpr_cuda ()->backend.scan_piece;
}

static gpr_status
take_first_row (gpr_tile *t, const gpr_division *d, int k)
{
  t->bytes = d->starts[k] > 0 ? d->inner * d->elem_bytes : 0;
  return gpr_spread_take (t->device, t->bytes, &t->near.x);
}

/* For the tile of so many rows that device k owns and others have some of, if there is one.  */
static gpr_status
take_tile (gpr_tile *t, const gpr_division *d, int k, int64_t rows)
{
  const gpr_span last = gpr_rows_shared (gpr_span_of (d->starts, k), rows, d->length);
  const int64_t row_bytes = d->inner * d->elem_bytes;

  t->from = last.first * row_bytes;
  t->bytes = (last.end - last.first) * row_bytes;
  const gpr_status status = gpr_spread_take (t->device, t->bytes, &t->near.x);
  return status == GPR_OK ? gpr_spread_take (t->device, t->bytes, &t->near.y) : status;
}

gpr_status
gpr_tiles_open (gpr_tiles *g, const gpr_scanning *s, const gpr_division *d)
{
  const gpr_scan_parts *parts = is_near (s, d) ? gpr_cpu_scan_parts (s->op, s->elem) : NULL;
  const bool extremes = s->op == GPR_SCAN_cummax || s->op == GPR_SCAN_cummin;
  gpr_status status = GPR_OK;

  *g = (gpr_tiles) { .count = parts ? d->x->count : 0 };
  for (int k = 0; k < g->count && status == GPR_OK; k++)
    {
      gpr_tile *t = &g->of[k];
      *t = (gpr_tile) { .near = { .bring = bring, .put = put, .take_level = take_level, .put_level = put_level },
                        .x = d->x, .y = s->y, .device = d->x->device[k] };
      status = gpr_spread_take (t->device, s->inner * parts->acc_bytes, &t->near.level);
      if (status == GPR_OK && extremes)
        status = take_first_row (t, d, k);
      else if (status == GPR_OK && s->length > GPR_SCAN_SHORT)
        status = take_tile (t, d, k, gpr_scan_tile_rows (s->inner, parts->steps));
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
      gpr_cuda ()->backend.release (g->of[k].near.level);
      gpr_cuda ()->backend.release (g->of[k].near.x);
      gpr_cuda ()->backend.release (g->of[k].near.y);
    }
  g->count = 0;
}
