/* An array that is divided along one dimension becomes one that is divided along a later one: each rank sends each other what is its from there on.  */

#include <stdlib.h>
#include <string.h>

#include "redivide.h"

/* This rank's elements of these indices of the later dimension: contiguous for each index after that.  */
static void
pack (const gpr_redivision *d, const char *x, int64_t own, gpr_span some, char *to)
{
  const size_t row = (size_t) (d->below * own * d->between) * d->bytes, run = (size_t) (some.end - some.first) * row;
  for (int64_t o = 0; o < d->above; o++)
    memcpy (to + o * run, x + (o * d->later + some.first) * row, run);
}

/* What came from a rank of those indices of the earlier dimension, to where it belongs.  */
static void
unpack (const gpr_redivision *d, const char *from, gpr_span theirs, int64_t whole, int64_t own, char *to)
{
  const size_t run = (size_t) (d->below * (theirs.end - theirs.first)) * d->bytes, slab = (size_t) (d->below * whole) * d->bytes;
  const size_t first = (size_t) (d->below * theirs.first) * d->bytes;
  for (int64_t i = 0; i < d->between * own * d->above; i++)
    memcpy (to + i * slab + first, from + i * run, run);
}

/* out and in have all that is sent and received, rank by rank.  *leaks: they are still written to.  */
static gpr_status
exchange (const gpr_redivision *d, const gpr_world *w, const gpr_piece *x, const char *data, char *out, char *in, bool *leaks)
{
  const gpr_span own = gpr_span_of (x->starts, w->rank), mine = gpr_span_of (d->starts, w->rank);
  const size_t each = (size_t) (d->below * d->between * d->above) * d->bytes;    /* of one index of both dimensions */
  gpr_post p = { .count = 0 };
  gpr_status status = GPR_OK;

  for (int k = 0; k < w->size && status == GPR_OK; k++)
    {
      const gpr_span theirs = gpr_span_of (x->starts, k);
      const size_t bytes = (size_t) ((theirs.end - theirs.first) * (mine.end - mine.first)) * each;
      if (k != w->rank && bytes > 0)
        status = gpr_post_receive (&p, k, GPR_POST_ROWS, in + (size_t) (theirs.first * (mine.end - mine.first)) * each, bytes);
    }
  for (int k = 0; k < w->size && status == GPR_OK; k++)
    {
      const gpr_span some = gpr_span_of (d->starts, k);
      const size_t bytes = (size_t) ((some.end - some.first) * (own.end - own.first)) * each;
      char *to = k == w->rank ? in + (size_t) (own.first * (mine.end - mine.first)) * each : out + (size_t) (some.first * (own.end - own.first)) * each;
      pack (d, data, own.end - own.first, some, to);
      if (k != w->rank && bytes > 0)
        status = gpr_post_send (&p, k, GPR_POST_ROWS, to, bytes);
    }
  return gpr_post_wait (&p, status, leaks);
}

gpr_status
gpr_ranks_redivide (const gpr_redivision *d, const gpr_piece *x, void *to)
{
  gpr_world w;
  gpr_status status = gpr_world_check (&w);
  const void *data = NULL;
  bool leaks = false;

  if (status != GPR_OK)
    return status;
  const gpr_span own = gpr_span_of (x->starts, w.rank), mine = gpr_span_of (d->starts, w.rank);
  const size_t each = (size_t) (d->below * d->between * d->above) * d->bytes;
  const size_t before = (size_t) ((own.end - own.first) * d->later) * each, after = (size_t) (x->starts[w.size] * (mine.end - mine.first)) * each;
  char *out = malloc (before + 1), *in = malloc (after + 1);
  status = out && in ? gpr_piece_here (x, before, &data) : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", before + after);
  if (status == GPR_OK)
    status = exchange (d, &w, x, data, out, in, &leaks);
  for (int k = 0; k < w.size && status == GPR_OK; k++)
    {
      const gpr_span theirs = gpr_span_of (x->starts, k);
      unpack (d, in + (size_t) (theirs.first * (mine.end - mine.first)) * each, theirs, x->starts[w.size], mine.end - mine.first, to);
    }
  if (! leaks)
    {
      free (out);
      free (in);
    }
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}
