/* Cumulative functions and order statistics of divided arrays, as problems.c.  */

#include <stdatomic.h>
#include <stdlib.h>

#include "../core/order.h"
#include "../core/scan.h"
#include "../core/select.h"
#include "../cpu/cpu.h"
#include "../dispatch/cuda_module.h"
#include "tiles.h"

/* ---- cumulative functions -------------------------------------------------------------------- */

/* Results go straight to their pieces (there), or to the host.  */
static gpr_status
put_there (gpr_scanning *own, bool there, gpr_placed *y, gpr_placed *index)
{
  void *rows = NULL;
  gpr_status status = gpr_placed_at (y, there, &own->y);

  if (status == GPR_OK)
    status = gpr_placed_at (index, there, &rows);
  own->index = rows;
  own->out_resident = there;
  return status;
}

/* Where it lies.  */
static gpr_status
scan_alone (gpr_part *p, gpr_scanning *own, gpr_placed *y, gpr_placed *index)
{
  gpr_status status = GPR_OK;

  own->outer = p->outer;
  if (gpr_part_is_made (p, &own->terms, &own->x, &own->x_resident))
    {
      status = put_there (own, true, y, index);
      return status == GPR_OK ? gpr_cuda ()->backend.scan (own) : status;
    }
  for (const gpr_backend *b = NULL; gpr_part_next (p, &b, &own->x, &own->x_resident, &status); )
    {
      status = put_there (own, own->x_resident && y->resident, y, index);
      if (status == GPR_OK)
        status = b->scan (own);
    }
  return status;
}

typedef struct { const gpr_scanning *s; gpr_tiles tiles; atomic_bool unfused; } scanning;

static gpr_status
scan_together (gpr_part *p, gpr_scanning *own, const scanning *g, gpr_placed *y, gpr_placed *index)
{
  const gpr_status status = put_there (own, gpr_on_device (&p->piece) && y->resident, y, index);

  p->piece.near = g->tiles.count > 0 ? &g->tiles.of[p->k].near : NULL;
  own->x = &p->piece;
  own->x_resident = false;
  return status == GPR_OK ? gpr_ranks_backend.scan (own) : status;
}

static gpr_status
scan_part (gpr_part *p, void *problem)
{
  scanning *g = problem;
  gpr_scanning own = *g->s;
  gpr_placed y, index;

  gpr_placed_open (&y, p, own.y, own.out_resident, gpr_elem_bytes[own.elem]);
  gpr_placed_open (&index, p, own.index, own.out_resident, sizeof (double));
  gpr_status status = p->together ? scan_together (p, &own, g, &y, &index) : scan_alone (p, &own, &y, &index);
  if (own.terms && ! own.fused)
    g->unfused = true;
  status = gpr_placed_close (&y, status);
  return gpr_placed_close (&index, status);
}

static gpr_status
scan (gpr_scanning *s)
{
  const int64_t bytes = gpr_elem_bytes[s->elem];
  scanning g = { .s = s };
  gpr_status status = GPR_OK;

  if (s->x_resident && s->out_resident)
    status = gpr_spread_as (s->y, s->x, bytes, bytes);
  if (status == GPR_OK && s->x_resident && s->out_resident && s->index)
    status = gpr_spread_as ((void *) s->index, s->x, sizeof (double), bytes);
  gpr_division d = gpr_division_of (s->x, s->x_resident, NULL, bytes, s->inner, s->length, s->outer);
  if (status == GPR_OK)
    status = gpr_tiles_open (&g.tiles, s, &d);
  if (status == GPR_OK)
    status = gpr_division_run (&d, scan_part, &g);
  if (status == GPR_UNSUPPORTED && g.tiles.count > 0)   /* since columns leave the range */
    d.by = GPR_BY_ONE;
  gpr_tiles_close (&g.tiles);
  return d.by == GPR_BY_ONE ? gpr_division_run (&d, scan_part, &g) : status;
}

/* Of outer indices that each GPU has whole.  s->fused <- false: the expression is to be computed first.  */
static gpr_status
scan_terms (gpr_scanning *s)
{
  gpr_scanning own = *s;
  scanning g = { .s = &own };
  gpr_terms *t;
  gpr_status status = s->index || ! s->out_resident ? GPR_UNSUPPORTED : gpr_terms_open_alone (&t, s->terms);

  s->fused = false;
  if (status != GPR_OK)
    return status == GPR_UNSUPPORTED ? GPR_OK : status;
  own.terms = NULL;             /* each GPU's are its own */
  own.x = &t->z;
  own.x_resident = true;
  const gpr_division d = gpr_division_of (own.x, true, NULL, t->elem_bytes, s->inner, s->length, s->outer);
  if (d.how == GPR_DIVIDED_OUTER)
    {
      status = gpr_spread_as (s->y, &t->z, t->elem_bytes, t->elem_bytes);
      if (status == GPR_OK)
        status = gpr_division_run (&d, scan_part, &g);
      s->fused = status == GPR_OK && ! g.unfused && ! t->left;
    }
  gpr_terms_close (t);
  return status == GPR_UNSUPPORTED ? GPR_OK : status;
}

gpr_status
gpr_spread_scan (gpr_scanning *s)
{
  return s->terms ? scan_terms (s) : scan (s);
}

/* ---- medians and quantiles ---------------------------------------------------------------------- */

static int64_t
result_bytes (const gpr_selection *s)
{
  return ! s->p ? gpr_elem_bytes[s->elem] : s->elem == GPR_f32 ? (int64_t) sizeof (float) : (int64_t) sizeof (double);
}

/* A center lies on the host.  The GPU that does the whole gets it; there is no memory to be had in a device's thread, so the CPU has the elements there.  */
static gpr_status
center_there (const gpr_part *p, gpr_selection *own, void **there)
{
  const size_t bytes = (size_t) (own->inner * own->outer) * gpr_elem_bytes[own->elem];
  gpr_status status = p->k < 0 ? gpr_spread_take (p->d->x->device[0], (int64_t) bytes, there) : GPR_UNSUPPORTED;
  if (status == GPR_OK)
    status = p->piece.home->upload (*there, own->center, bytes);
  own->center = *there;
  return status;
}

static gpr_status
select_alone (gpr_part *p, gpr_selection *own)
{
  const gpr_backend *b = NULL;
  gpr_status status = GPR_OK;
  void *there = NULL;

  own->inner = p->columns;
  own->outer = p->outer;
  const char *center = own->center ? (const char *) own->center + p->first * own->inner * gpr_elem_bytes[own->elem] : NULL;
  while (gpr_part_next (p, &b, &own->x, &own->x_resident, &status))
    {
      own->center = center;
      if (center && own->x_resident)
        status = center_there (p, own, &there);
      if (status == GPR_OK)
        status = b->select (own);
    }
  if (there)
    gpr_cuda ()->backend.release (there);
  return status;
}

static gpr_status
select_part (gpr_part *p, void *problem)
{
  gpr_selection own = *(const gpr_selection *) problem;
  const int64_t each = own.inner * own.results * result_bytes (&own);
  gpr_results value;
  gpr_status status = gpr_results_open (&value, p, own.value, each * own.outer, each);

  own.value = value.at;
  if (status == GPR_OK && p->together)
    {
      own.x = &p->piece;
      own.x_resident = false;
      status = gpr_ranks_backend.select (&own);
    }
  else if (status == GPR_OK)
    status = select_alone (p, &own);
  free (value.own);
  return status;
}

gpr_status
gpr_spread_select (gpr_selection *s)
{
  gpr_selection own = *s;
  void *center = NULL;
  gpr_kept value;

  gpr_status status = gpr_kept_open (&value, s->value, s->out_resident, s->inner * s->results * s->outer * result_bytes (s));
  gpr_division d = gpr_division_of (s->x, s->x_resident, NULL, gpr_elem_bytes[s->elem], s->inner, s->length, s->outer);
  if (d.how == GPR_DIVIDED_ALONG && gpr_deals_selection (s))
    d.by = s->results == 1 && ! s->center ? GPR_DEALT_OUT : GPR_BY_ONE;
  if (status == GPR_OK && s->center && s->x_resident)
    status = gpr_division_read (s->center, -1, &center);
  own.value = value.host;
  own.out_resident = false;
  own.center = s->x_resident ? center : s->center;
  if (status == GPR_OK)
    status = gpr_division_run (&d, select_part, &own);
  free (center);
  return gpr_kept_close (&value, status);
}

/* ---- modes ----------------------------------------------------------------------------------------- */

static gpr_status
order_part (gpr_part *p, void *problem)
{
  gpr_ordering own = *(const gpr_ordering *) problem;
  const int64_t bytes = gpr_elem_bytes[own.elem], doubles = sizeof (double);
  gpr_results value, frequency = { NULL, NULL };
  gpr_status status = gpr_results_open (&value, p, own.value, own.inner * own.outer * bytes, own.inner * bytes);

  if (status == GPR_OK)
    status = gpr_results_open (&frequency, p, own.frequency, own.inner * own.outer * doubles, own.inner * doubles);
  own.value = value.at;
  own.frequency = frequency.at;
  own.sorted = own.sorted ? (char *) own.sorted + p->from * bytes : NULL;
  if (status == GPR_OK && p->together)
    {
      own.x = &p->piece;
      own.x_resident = false;
      status = gpr_ranks_backend.order (&own);
    }
  else if (status == GPR_OK)
    {
      own.inner = p->columns;
      own.outer = p->outer;
      for (const gpr_backend *b = NULL; gpr_part_next (p, &b, &own.x, &own.x_resident, &status); )
        status = b->order (&own);
    }
  free (value.own);
  free (frequency.own);
  return status;
}

gpr_status
gpr_spread_order (gpr_ordering *o)
{
  gpr_ordering own = *o;
  const int64_t bytes = gpr_elem_bytes[o->elem], outputs = o->inner * o->outer;
  gpr_kept value, frequency = { .given = NULL };

  gpr_status status = gpr_kept_open (&value, o->value, o->out_resident, outputs * bytes);
  if (status == GPR_OK)
    status = gpr_kept_open (&frequency, o->frequency, o->out_resident, outputs * (int64_t) sizeof (double));
  gpr_division d = gpr_division_of (o->x, o->x_resident, NULL, bytes, o->inner, o->length, o->outer);
  if (o->sorted && d.how == GPR_DIVIDED_ALONG)  /* ranks do not sort */
    d.how = GPR_DIVIDED_ANYHOW;
  if (d.how == GPR_DIVIDED_ALONG)
    d.by = GPR_DEALT_OUT;
  own.value = value.host;
  own.frequency = frequency.host;
  own.out_resident = false;
  if (status == GPR_OK)
    status = gpr_division_run (&d, order_part, &own);
  status = gpr_kept_close (&value, status);
  return gpr_kept_close (&frequency, status);
}

/* ---- the k greatest or least -------------------------------------------------------------------------- */

/* Elements that one GPU copies and reads while the host merges a candidate, less a margin: 35 ns a candidate (63 ms for 1.8e6) to 0.02 ns an element (2 ms for
   1e8; four H200) are 1750.  */
enum { CANDIDATE = 512 };

static gpr_status
rank_part (gpr_part *p, void *problem)
{
  gpr_ranking own = *(const gpr_ranking *) problem;
  const int64_t bytes = gpr_elem_bytes[own.elem], doubles = sizeof (double), each = own.inner * own.count;
  gpr_results value, index = { NULL, NULL };
  gpr_status status = gpr_results_open (&value, p, own.value, each * own.outer * bytes, each * bytes);

  if (status == GPR_OK)
    status = gpr_results_open (&index, p, own.index, each * own.outer * doubles, each * doubles);
  own.value = value.at;
  own.index = index.at;
  if (status == GPR_OK && p->together)
    {
      own.x = &p->piece;
      own.x_resident = false;
      status = gpr_ranks_backend.rank (&own);
    }
  else if (status == GPR_OK)
    {
      own.inner = p->columns;
      own.outer = p->outer;
      for (const gpr_backend *b = NULL; gpr_part_next (p, &b, &own.x, &own.x_resident, &status); )
        status = b->rank (&own);
    }
  free (value.own);
  free (index.own);
  return status;
}

gpr_status
gpr_spread_rank (gpr_ranking *r)
{
  gpr_ranking own = *r;
  const int64_t bytes = gpr_elem_bytes[r->elem], outputs = r->inner * r->count * r->outer;
  gpr_kept value, index = { .given = NULL };

  gpr_status status = gpr_kept_open (&value, r->value, r->out_resident, outputs * bytes);
  if (status == GPR_OK)
    status = gpr_kept_open (&index, r->index, r->out_resident, outputs * (int64_t) sizeof (double));
  gpr_division d = gpr_division_of (r->x, r->x_resident, NULL, bytes, r->inner, r->length, r->outer);
  if (d.how == GPR_DIVIDED_ALONG && r->count * d.x->count * CANDIDATE > r->length)
    d.by = GPR_BY_ONE;
  own.value = value.host;
  own.index = index.host;
  own.out_resident = false;
  if (status == GPR_OK)
    status = gpr_division_run (&d, rank_part, &own);
  status = gpr_kept_close (&value, status);
  return gpr_kept_close (&index, status);
}
