/* Where the rows of a cumulative function lie, its results, and what they come to: on a device, or in host memory.  */

#include <stdlib.h>
#include <string.h>

#include "scanning.h"

/* ---- what columns come to ------------------------------------------------------------------ */

gpr_status
gpr_scan_take_before (const gpr_scan_over_ranks *w, gpr_span mine, size_t first, size_t bytes)
{
  char *here = w->home ? NULL : w->level + first, there = 0;

  if (mine.first == 0)
    return GPR_OK;
  if (! w->near)
    return gpr_world_receive (w->world.rank - 1, GPR_POST_TREES, w->level + first, bytes);
  const gpr_status status = gpr_world_receive (w->world.rank - 1, GPR_POST_TREES, &there, sizeof there);
  return status == GPR_OK ? w->near->take_level (w->near, first, bytes, here) : status;
}

gpr_status
gpr_scan_pass_on (const gpr_scan_over_ranks *w, gpr_span mine, size_t first, size_t bytes)
{
  const char there = 0;
  gpr_status status = GPR_OK;

  if (mine.end == 0 || w->world.rank + 1 == w->world.size)
    return GPR_OK;
  if (! w->near)
    return gpr_world_send (w->world.rank + 1, GPR_POST_TREES, w->level + first, bytes);
  if (! w->home)
    status = w->near->put_level (w->near, first, bytes, w->level + first);
  return status == GPR_OK ? gpr_world_send (w->world.rank + 1, GPR_POST_TREES, &there, sizeof there) : status;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static gpr_status
take_room (void **p, size_t bytes)
{
  *p = malloc (bytes + 1);
  return *p ? GPR_OK : gpr_scan_no_memory (bytes);
}

gpr_status
gpr_scan_come_here (gpr_scan_over_ranks *w)
{
  const size_t elements = (size_t) (w->own.inner * w->own.length);
  gpr_status status = gpr_piece_here (w->piece, elements * gpr_elem_bytes[w->own.elem], &w->own.x);

  w->home = NULL;
  if (status != GPR_OK || ! w->own.out_resident)
    return status;
  status = take_room (&w->y_here, elements * gpr_elem_bytes[w->own.elem]);
  if (status == GPR_OK && w->own.index)
    status = take_room (&w->index_here, elements * sizeof (double));
  w->own.y = w->y_here;
  w->own.index = w->index_here;
  w->own.out_resident = false;
  return status;
}

gpr_status
gpr_scan_go_back (gpr_scan_over_ranks *w, const gpr_scanning *s, gpr_status status)
{
  const size_t elements = (size_t) (w->own.inner * w->own.length), skipped = (size_t) w->elsewhere * w->row_bytes;

  if (status == GPR_OK && w->y_here && elements > 0)
    status = w->piece->home->upload ((char *) s->y + skipped, (const char *) w->y_here + skipped, elements * gpr_elem_bytes[w->own.elem] - skipped);
  if (status == GPR_OK && w->index_here && elements > 0)
    status = w->piece->home->upload (s->index, w->index_here, elements * sizeof (double));
  free (w->y_here);
  free (w->index_here);
  return status;
}

gpr_status
gpr_scan_put_rows (const gpr_scan_over_ranks *w, int64_t row, const void *from, size_t bytes)
{
  char *to = (char *) w->own.y + row * w->row_bytes;
  if (w->own.out_resident)
    return bytes > 0 ? w->piece->home->upload (to, from, bytes) : GPR_OK;
  memcpy (to, from, bytes);
  return GPR_OK;
}

gpr_status
gpr_scan_try_there (gpr_scan_over_ranks *w, gpr_scan_piece *p)
{
  p->of = w;
  p->level_there = w->near != NULL;
  p->level = w->near ? w->near->level : w->level;
  const gpr_status status = w->home->scan_piece (p);
  w->lost |= p->lost;
  return p->begun || (status != GPR_OUT_OF_MEMORY && status != GPR_UNSUPPORTED) ? status : gpr_scan_come_here (w);
}

