/* Problems on divided arrays.  This GPU's elements come to the host in its thread, which is a rank where the divided dimension is reduced.  */

#include <stdlib.h>
#include <string.h>

#include "division.h"
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
gpr_division_of (const void *resident, const void *factor, int64_t elem_bytes, int64_t inner, int64_t length, int64_t outer)
{
  gpr_division d = { .x = resident, .y = factor, .inner = inner, .length = length, .outer = outer, .elem_bytes = elem_bytes };
  const gpr_pieces *x = d.x, *y = d.y;
  const int64_t row = inner * elem_bytes;

  if (y && (y->count != x->count || memcmp (y->device, x->device, x->count * sizeof *x->device) != 0
            || memcmp (y->starts, x->starts, (x->count + 1) * sizeof *x->starts) != 0))
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

typedef struct { const gpr_division *d; gpr_status (*work) (const gpr_part *p, void *problem); void *problem; } dividing;

static gpr_status
do_part (void *of, int k)
{
  const dividing *g = of;
  const gpr_division *d = g->d;
  void *x = NULL, *y = NULL;
  gpr_part p = { .d = d, .k = k };
  gpr_status status = gpr_division_read (d->x, k, &x);

  if (status == GPR_OK && d->y)
    status = gpr_division_read (d->y, k, &y);
  p.first = d->how == GPR_DIVIDED_OUTER && k >= 0 ? d->starts[k] : 0;
  p.outer = d->how == GPR_DIVIDED_OUTER && k >= 0 ? d->starts[k + 1] - p.first : d->outer;
  p.piece = (gpr_piece) { .data = x, .starts = d->starts };
  p.factor = (gpr_piece) { .data = y, .starts = d->starts };
  p.from = k < 0 ? 0 : d->x->starts[k] / d->elem_bytes;
  p.elements = (k < 0 ? d->x->bytes : d->x->starts[k + 1] - d->x->starts[k]) / d->elem_bytes;
  p.together = d->how == GPR_DIVIDED_ALONG && k >= 0;
  p.x = p.together ? &p.piece : x;
  p.y = ! d->y ? NULL : p.together ? (const void *) &p.factor : y;
  if (status == GPR_OK && (p.together || p.outer > 0))
    status = g->work (&p, g->problem);
  free (x);
  free (y);
  return status;
}

gpr_status
gpr_division_run (const gpr_division *d, gpr_status (*work) (const gpr_part *p, void *problem), void *problem)
{
  dividing g = { d, work, problem };
  return d->how == GPR_DIVIDED_ANYHOW ? do_part (&g, -1) : gpr_spread_run (d->x, do_part, &g);
}

/* ---- results ----------------------------------------------------------------------------- */

gpr_status
gpr_results_open (gpr_results *v, const gpr_part *p, void *all, int64_t bytes, int64_t of_outer)
{
  *v = (gpr_results) { .at = all };
  if (! all)
    return GPR_OK;
  if (! p->together || p->k == 0)
    v->at = (char *) all + p->first * of_outer;
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
gpr_kept_close (gpr_kept *v, gpr_status status, const gpr_pieces *like, int64_t elem_bytes, int64_t like_bytes)
{
  if (! v->given || ! v->resident)
    return status;
  if (status == GPR_OK && like)
    status = gpr_spread_as (v->given, like, elem_bytes, like_bytes);
  if (status == GPR_OK)
    status = gpr_spread_upload (v->given, v->host, (size_t) v->bytes);
  free (v->host);
  return status;
}
