/* A piece on a device: its parts are reduced there, and merged to the largest subtrees that lie in them; so what comes to the host, and
   goes to other ranks, is a few accumulators for each output.  The device works while rows travel.  */

#include <stdlib.h>

#include "reduction.h"

enum {
  SMALL = 1 << 18,      /* bytes of a piece that the host takes; these two are estimates */
  FEW = 1 << 14         /* bytes of accumulators that the host merges */
};

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* All parts by themselves, or as they merge.  */
static gpr_status
plan (const gpr_over_ranks *w, gpr_span parts, gpr_device_work *s)
{
  const int64_t all = w->job.tree.parts, own = parts.end - parts.first;
  const bool merged = own * (int64_t) w->level_bytes > FEW;
  const gpr_forest f = gpr_forest_of (parts, all);

  s->count = merged ? f.count : own;
  if (! (s->end = malloc (s->count * sizeof *s->end)))
    return no_memory (s->count * sizeof *s->end);
  for (int64_t k = 0; k < s->count; k++)
    {
      const int64_t end = merged ? (f.of[k].at + 1) << f.of[k].height : parts.first + k + 1;
      s->end[k] = end < all ? end : all;
    }
  return GPR_OK;
}

/* The height of a subtree over so many parts, the last of which may be missing.  */
static int
height_of (int64_t parts)
{
  int height = 0;
  while ((int64_t) 1 << height < parts)
    height++;
  return height;
}

/* Each of several parts becomes two: so the device needs less memory at once, and the host merges more.  False: there is none.  */
static bool
halve (int64_t first, gpr_device_work *s)
{
  int64_t *end = malloc (2 * s->count * sizeof *end), count = 0;

  if (! end)
    return false;
  for (int64_t k = 0; k < s->count; first = s->end[k++])
    {
      if (s->end[k] - first > 1)
        end[count++] = first + ((int64_t) 1 << (height_of (s->end[k] - first) - 1));
      end[count++] = s->end[k];
    }
  const bool some = count > s->count;
  free (s->end);
  s->count = count;
  s->end = end;
  return some;
}

static gpr_status
begin (const gpr_over_ranks *w, gpr_device_work *d, int64_t from, int64_t to)
{
  const size_t apart = w->level_bytes;
  d->p = (gpr_partial) { .r = *w->r, .tree = w->job.tree, .acc_bytes = w->job.info->acc_bytes, .first_row = w->rows.first,
                         .first = from > 0 ? d->end[from - 1] : d->parts.first, .count = to - from, .end = d->end + from,
                         .accumulators = w->accumulators + from * apart, .apart = apart };
  d->p.r.x = w->piece[0].data;
  d->p.r.terms = w->piece[0].making ? w->piece[0].making->terms : NULL;
  d->p.r.y = w->r->y ? w->piece[1].data : NULL;
  return w->piece[0].home->partial_begin (&d->p);
}

static gpr_status
make_room (gpr_over_ranks *w, int64_t slots)
{
  const size_t bytes = (size_t) (slots + 1) * w->level_bytes;
  free (w->accumulators);
  w->accumulators = malloc (bytes);
  return w->accumulators ? GPR_OK : no_memory (bytes);
}

/* Where the device has no memory for all parts' accumulators, subtree after subtree of the half, and so forth.  */
static gpr_status
one_by_one (gpr_over_ranks *w, gpr_device_work *d)
{
  gpr_status status = GPR_OUT_OF_MEMORY;

  while (status == GPR_OUT_OF_MEMORY && halve (d->parts.first, d))
    {
      status = make_room (w, d->count);
      for (int64_t k = 0; k < d->count && status == GPR_OK; k++)
        {
          status = gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : begin (w, d, k, k + 1);
          if (status == GPR_OK)
            status = w->piece[0].home->partial_end (&d->p, true);
        }
    }
  return status;
}

/* The pieces in host memory.  */
static gpr_status
bring (gpr_over_ranks *w)
{
  const size_t bytes = (size_t) ((w->rows.end - w->rows.first) * w->row_bytes * w->r->outer);
  const gpr_piece *from[2] = { w->r->x, w->r->y };
  gpr_status status = GPR_OK;
  for (int k = 0; k < 2 && from[k] && status == GPR_OK; k++)
    {
      status = gpr_piece_here (from[k], bytes, &w->piece[k].data);
      w->piece[k].home = NULL;
      w->piece[k].making = NULL;
    }
  return status;
}

bool
gpr_is_for_device (int64_t bytes)
{
  return bytes > SMALL;
}

gpr_status
gpr_device_begin (gpr_over_ranks *w, gpr_device_work *d, gpr_span parts)
{
  const int64_t bytes = (w->rows.end - w->rows.first) * w->row_bytes;
  const gpr_backend *home = w->piece[0].home;
  gpr_status status = GPR_UNSUPPORTED;

  *d = (gpr_device_work) { .parts = parts };
  if (home && home->partial_begin && w->r->outer == 1 && gpr_is_for_device (bytes) && parts.end > parts.first && (! w->r->y || w->piece[1].home == home))
    {
      status = plan (w, parts, d);
      if (status == GPR_OK)
        status = make_room (w, d->count);
      if (status == GPR_OK)
        status = begin (w, d, 0, d->count);
      if (status == GPR_OUT_OF_MEMORY && d->end)
        status = one_by_one (w, d);
    }
  d->begun = status == GPR_OK;
  return status == GPR_UNSUPPORTED ? bring (w) : status;
}

gpr_status
gpr_device_end (gpr_over_ranks *w, gpr_device_work *d, gpr_status status, void (*add) (gpr_over_ranks *w, gpr_subtree s, int64_t slot))
{
  if (d->p.running)
    {
      const gpr_status ended = w->piece[0].home->partial_end (&d->p, status == GPR_OK);
      status = status == GPR_OK ? ended : status;
    }
  for (int64_t k = 0, first = d->parts.first; d->begun && k < d->count && status == GPR_OK; first = d->end[k++])
    {
      const int height = height_of (d->end[k] - first);
      add (w, (gpr_subtree) { height, first >> height }, k);
    }
  free (d->end);
  return status;
}
