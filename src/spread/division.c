/* Problems on divided arrays: each GPU's part of it in its thread, which is a rank where the divided dimension is reduced.  */

#include <stdlib.h>
#include <string.h>

#include "division.h"
#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"

gpr_status
gpr_spread_no_memory (int64_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%lld bytes of host memory", (long long) bytes);
}

static bool
all_at (const gpr_pieces *x, int64_t unit)
{
  for (int k = 1; k < x->count; k++)
    if (x->starts[k] % unit != 0)
      return false;
  return true;
}

gpr_division
gpr_division_of (const void *array, bool resident, const void *factor, int64_t elem_bytes, int64_t inner, int64_t length, int64_t outer)
{
  gpr_division d = { .x = resident ? array : NULL, .host = resident ? NULL : array, .y = factor,
                     .inner = inner, .length = length, .outer = outer, .elem_bytes = elem_bytes };
  const gpr_pieces *x = d.x, *y = d.y;
  const int64_t row = inner * elem_bytes;

  if (! resident || (y && (y->count != x->count || memcmp (y->device, x->device, x->count * sizeof *x->device) != 0
            || memcmp (y->starts, x->starts, (x->count + 1) * sizeof *x->starts) != 0)))
    return d;
  d.how = outer == 1 && all_at (x, row) ? GPR_DIVIDED_ALONG : all_at (x, row * length) ? GPR_DIVIDED_OUTER : GPR_DIVIDED_ANYHOW;
  const int64_t unit = d.how == GPR_DIVIDED_ALONG ? row : row * length;
  for (int k = 0; k <= x->count && d.how != GPR_DIVIDED_ANYHOW; k++)
    d.starts[k] = x->starts[k] / unit;
  return d;
}

gpr_status
gpr_division_read (const gpr_pieces *x, int k, void **host)
{
  const int64_t from = k < 0 ? 0 : x->starts[k], bytes = (k < 0 ? x->bytes : x->starts[k + 1]) - from;
  *host = malloc ((size_t) bytes + 1);
  return *host ? gpr_spread_read (x, from, bytes, *host) : gpr_spread_no_memory (bytes);
}

/* ---- one part of a problem ------------------------------------------------------------- */

typedef struct { const gpr_division *d; gpr_status (*work) (gpr_part *p, void *problem); void *problem; } dividing;

static gpr_piece
piece_of (const gpr_division *d, const gpr_pieces *x, int k)
{
  const bool some = x->starts[k + 1] > x->starts[k];
  return (gpr_piece) { .data = x->at[k], .starts = d->starts, .home = some ? &gpr_cuda ()->backend : NULL };
}

static gpr_status
do_piece (void *of, int k)
{
  const dividing *g = of;
  const gpr_division *d = g->d;
  gpr_part p = { .d = d, .k = k, .together = d->how == GPR_DIVIDED_ALONG, .outer = d->outer, .columns = d->inner, .piece = piece_of (d, d->x, k) };

  if (d->y)
    p.factor = piece_of (d, d->y, k);
  if (d->x->terms)
    {
      p.making = gpr_terms_of_rank (d->x->terms, k);
      p.piece.making = &p.making.m;
    }
  if (! p.together)
    {
      p.first = d->starts[k];
      p.outer = d->starts[k + 1] - p.first;
    }
  p.from = d->x->starts[k] / d->elem_bytes;
  p.elements = d->x->starts[k + 1] / d->elem_bytes - p.from;
  const gpr_status status = p.together || p.outer > 0 ? g->work (&p, g->problem) : GPR_OK;
  gpr_piece_forget (&p.piece);
  gpr_piece_forget (&p.factor);
  return status;
}

/* The whole of it by the first GPU, which gets a copy.  GPR_OUT_OF_MEMORY, GPR_UNSUPPORTED: it may be done otherwise.  */
static gpr_status
do_collected (const dividing *g)
{
  const gpr_division *d = g->d;
  const gpr_pieces *from[2] = { d->x, d->y };
  void *copy[2] = { NULL, NULL };
  gpr_status status = GPR_OK;

  for (int k = 0; k < 2 && from[k] && status == GPR_OK; k++)
    {
      status = gpr_spread_take (d->x->device[0], from[k]->bytes, &copy[k]);
      if (status == GPR_OK)
        status = gpr_spread_fetch (from[k], 0, from[k]->bytes, d->x->device[0], copy[k]);
    }
  const gpr_backend *home = &gpr_cuda ()->backend;
  gpr_part p = { .d = d, .k = -1, .outer = d->outer, .columns = d->inner, .elements = d->inner * d->length * d->outer,
                 .piece = { .data = copy[0], .home = home }, .factor = { .data = copy[1], .home = copy[1] ? home : NULL } };
  if (status == GPR_OK)
    status = g->work (&p, g->problem);
  gpr_piece_forget (&p.piece);
  gpr_piece_forget (&p.factor);
  home->release (copy[0]);
  home->release (copy[1]);
  return status;
}

/* The whole of it on the host.  */
static gpr_status
do_whole (const dividing *g)
{
  const gpr_division *d = g->d;
  void *x = NULL, *y = NULL;

  if (d->if_room && gpr_cpu_backend.room () / 2 <= (size_t) d->x->bytes)
    return gpr_spread_no_memory (d->x->bytes);
  gpr_status status = d->x ? gpr_division_read (d->x, -1, &x) : GPR_OK;

  if (status == GPR_OK && d->y)
    status = gpr_division_read (d->y, -1, &y);
  gpr_part p = { .d = d, .k = -1, .outer = d->outer, .columns = d->inner, .elements = d->inner * d->length * d->outer,
                 .piece = { .data = d->x ? x : d->host }, .factor = { .data = y } };
  if (status == GPR_OK)
    status = g->work (&p, g->problem);
  free (x);
  free (y);
  return status;
}

bool
gpr_part_next (gpr_part *p, const gpr_backend **b, const void **x, bool *resident, gpr_status *status)
{
  const size_t bytes = (size_t) (p->elements * p->d->elem_bytes);
  const void *y = NULL;

  if (*b == &gpr_cpu_backend || (*b && *status != GPR_UNSUPPORTED))
    return false;
  *resident = ! *b && gpr_on_device (&p->piece);
  *b = *resident ? p->piece.home : &gpr_cpu_backend;
  if (! *resident)
    {
      *status = gpr_piece_here (&p->piece, bytes, &p->piece.data);
      if (*status == GPR_OK && p->d->y && (*status = gpr_piece_here (&p->factor, bytes, &y)) == GPR_OK)
        p->factor.data = y;
      p->piece.home = p->factor.home = NULL;
    }
  else
    *status = GPR_OK;
  *x = p->piece.data;
  return *status == GPR_OK;
}

static struct { int count; double device[GPR_MOST_DEVICES], bytes[GPR_MOST_DEVICES]; } last;

static void
note (const gpr_pieces *x)
{
  last.count = x ? x->count : 0;
  for (int k = 0; k < last.count; k++)
    {
      last.device[k] = x->device[k];
      last.bytes[k] = (double) (x->starts[k + 1] - x->starts[k]);
    }
}

int
gpr_spread_report (const gpr_backend *b, double devices[GPR_MOST_DEVICES + 1], double bytes[GPR_MOST_DEVICES + 1])
{
  (void) b;
  memcpy (devices, last.device, last.count * sizeof *devices);
  memcpy (bytes, last.bytes, last.count * sizeof *bytes);
  return last.count;
}

gpr_status
gpr_division_run (const gpr_division *d, gpr_status (*work) (gpr_part *p, void *problem), void *problem)
{
  dividing g = { d, work, problem };
  gpr_status status = GPR_UNSUPPORTED;

  note (d->x);
  if (d->x && gpr_deal_pays (d))
    status = gpr_deal_run (d, work, problem);
  if ((status == GPR_UNSUPPORTED || status == GPR_OUT_OF_MEMORY) && d->x && d->x->bytes > 0 && (d->by != GPR_BY_RANKS || d->how == GPR_DIVIDED_ANYHOW))
    status = do_collected (&g);
  if (status != GPR_UNSUPPORTED && status != GPR_OUT_OF_MEMORY)
    return status;
  return d->how == GPR_DIVIDED_ANYHOW ? do_whole (&g) : gpr_spread_run (d->x, do_piece, &g);
}

/* ---- results ----------------------------------------------------------------------------- */

gpr_status
gpr_results_open (gpr_results *v, const gpr_part *p, void *all, int64_t bytes, int64_t of_outer)
{
  *v = (gpr_results) { .at = all };
  if (! all)
    return GPR_OK;
  if (! p->together || p->k == 0)
    v->at = (char *) all + p->first * of_outer + p->first_column * (of_outer / p->d->inner);
  else if (! (v->at = v->own = malloc ((size_t) bytes + 1)))
    return gpr_spread_no_memory (bytes);
  return GPR_OK;
}

gpr_status
gpr_kept_open (gpr_kept *v, void *given, bool resident, int64_t bytes)
{
  *v = (gpr_kept) { given, resident, given, bytes };
  if (given && resident && ! (v->host = malloc ((size_t) bytes + 1)))
    return gpr_spread_no_memory (bytes);
  return GPR_OK;
}

gpr_status
gpr_kept_close (gpr_kept *v, gpr_status status)
{
  if (! v->given || ! v->resident)
    return status;
  if (status == GPR_OK)
    status = gpr_spread_upload (v->given, v->host, (size_t) v->bytes);
  free (v->host);
  return status;
}

void
gpr_placed_open (gpr_placed *v, const gpr_part *p, void *given, bool resident, int64_t elem_bytes)
{
  *v = (gpr_placed) { .p = p, .given = given, .resident = resident, .from = p->from * elem_bytes, .bytes = p->elements * elem_bytes };
}

gpr_status
gpr_placed_at (gpr_placed *v, bool there, void **at)
{
  const gpr_part *p = v->p;
  gpr_status status = GPR_OK;

  v->made_there = there;
  *at = NULL;
  if (! v->given)
    return GPR_OK;
  if (! v->resident)
    *at = (char *) v->given + v->from;
  else if (there && p->k >= 0)
    *at = ((const gpr_pieces *) v->given)->at[p->k];
  if (! v->resident || (there && p->k >= 0))
    return GPR_OK;
  if (there && ! v->copy)
    status = gpr_spread_take (p->d->x->device[0], v->bytes, &v->copy);
  else if (! there && ! v->own && ! (v->own = malloc ((size_t) v->bytes + 1)))
    status = gpr_spread_no_memory (v->bytes);
  *at = there ? v->copy : v->own;
  return status;
}

gpr_status
gpr_placed_close (gpr_placed *v, gpr_status status)
{
  const gpr_part *p = v->p;
  const bool some = status == GPR_OK && v->bytes > 0;

  if (some && v->made_there && v->copy)
    status = gpr_spread_store (v->given, 0, v->bytes, p->d->x->device[0], v->copy);
  else if (some && ! v->made_there && v->own)
    status = p->k < 0 ? gpr_spread_upload (v->given, v->own, (size_t) v->bytes)
             : gpr_cuda ()->backend.upload (((const gpr_pieces *) v->given)->at[p->k], v->own, (size_t) v->bytes);
  if (v->copy)
    gpr_cuda ()->backend.release (v->copy);
  free (v->own);
  return status;
}
