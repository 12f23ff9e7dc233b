/* A piece on a device: its parts are reduced there, and merged to the largest subtrees that lie in them; so what comes to the host, and
   goes to other ranks, is a few accumulators for each output.  */

#include <stdlib.h>

#include "../core/partial.h"
#include "reduction.h"

enum {
  SMALL = 1 << 18,      /* bytes of a piece that are as soon on the host */
  FEW = 1 << 14         /* bytes of accumulators that are as soon merged on the host */
};

typedef struct { int64_t count, *end; } subtrees;

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

/* All parts by themselves, or as they merge.  */
static gpr_status
plan (const gpr_over_ranks *w, gpr_span parts, subtrees *s)
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
halve (int64_t first, subtrees *s)
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
  *s = (subtrees) { count, end };
  return some;
}

static gpr_status
compute (const gpr_over_ranks *w, gpr_span parts, const subtrees *s, int64_t from, int64_t to)
{
  gpr_reduction r = *w->r;
  r.x = w->piece[0].data;
  r.y = r.y ? w->piece[1].data : NULL;
  const gpr_partial p = { .r = &r, .tree = w->job.tree, .first_row = w->rows.first, .first = from > 0 ? s->end[from - 1] : parts.first,
                          .count = to - from, .end = s->end + from, .accumulators = w->accumulators + from * w->level_bytes, .apart = w->level_bytes };
  return w->piece[0].home->partial (&p);
}

/* Where the device has no memory for all parts' accumulators, subtree after subtree of the half, and so forth.  */
static gpr_status
compute_all (gpr_over_ranks *w, gpr_span parts, subtrees *s)
{
  for (bool whole = true;; whole = false)
    {
      gpr_status status = GPR_OK;
      free (w->accumulators);
      if (! (w->accumulators = malloc ((s->count + 1) * w->level_bytes)))
        return no_memory ((s->count + 1) * w->level_bytes);
      if (whole)
        status = compute (w, parts, s, 0, s->count);
      for (int64_t k = 0; k < s->count && ! whole && status == GPR_OK; k++)
        status = gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : compute (w, parts, s, k, k + 1);
      if (status != GPR_OUT_OF_MEMORY || ! halve (parts.first, s))
        return status;
    }
}

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
    }
  return status;
}

gpr_status
gpr_reduce_on_device (gpr_over_ranks *w, gpr_span parts, void (*add) (gpr_over_ranks *w, gpr_subtree s, int64_t slot), int64_t *slots,
                      bool *done)
{
  const int64_t bytes = (w->rows.end - w->rows.first) * w->row_bytes;
  const gpr_backend *home = w->piece[0].home;
  subtrees s = { 0, NULL };
  gpr_status status = GPR_UNSUPPORTED;

  if (home && home->partial && w->r->outer == 1 && bytes > SMALL && parts.end > parts.first && (! w->r->y || w->piece[1].home == home))
    {
      status = plan (w, parts, &s);
      if (status == GPR_OK)
        status = compute_all (w, parts, &s);
    }
  *done = status == GPR_OK;
  *slots = s.count;
  int64_t first = parts.first;
  for (int64_t k = 0; k < s.count && *done; first = s.end[k++])
    {
      const int height = height_of (s.end[k] - first);
      add (w, (gpr_subtree) { height, first >> height }, k);
    }
  free (s.end);
  return status == GPR_UNSUPPORTED ? bring (w) : status;
}
