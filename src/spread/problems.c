/* Each problem of gpr_backend, of arrays that are divided: together as ranks, or each GPU its own outer indices.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../core/order.h"
#include "../core/scan.h"
#include "../core/select.h"
#include "../cpu/cpu.h"
#include "division.h"

/* ---- reductions --------------------------------------------------------------------------- */

typedef struct { gpr_reduction *r; atomic_bool needs_fixup; } reducing;

static gpr_status
reduce_part (const gpr_part *p, void *problem)
{
  reducing *g = problem;
  gpr_reduction own = *g->r;
  const gpr_instance_info *f = &gpr_instances[own.instance];
  const int64_t outputs = own.inner * own.outer;
  gpr_results value, index = { NULL, NULL };
  gpr_status status = gpr_results_open (&value, p, own.value, outputs * f->value_bytes, own.inner * f->value_bytes);

  if (status == GPR_OK)
    status = gpr_results_open (&index, p, own.index, outputs * (int64_t) sizeof *own.index, own.inner * (int64_t) sizeof *own.index);
  own.whole_outer = own.whole_outer ? own.whole_outer : own.outer;
  own.outer = p->outer;
  own.x = p->x;
  own.y = p->y;
  own.x_resident = false;
  own.value = value.at;
  own.index = index.at;
  if (p->together)
    own.whole_outer = 0;
  if (status == GPR_OK)
    status = own.exact ? (p->together ? gpr_ranks_exact : gpr_cpu_exact) (&own) : (p->together ? gpr_ranks_reduce : gpr_cpu_reduce) (&own);
  if (status == GPR_OK && own.needs_fixup)
    g->needs_fixup = true;
  free (value.own);
  free (index.own);
  return status;
}

static gpr_status
reduce (gpr_reduction *r)
{
  reducing g = { r, false };
  const gpr_division d = gpr_division_of (r->x, r->y, gpr_instances[r->instance].elem_bytes, r->inner, r->length, r->outer);
  gpr_status status = gpr_division_run (&d, reduce_part, &g);
  r->needs_fixup = g.needs_fixup;
  return status;
}

gpr_status
gpr_spread_reduce (gpr_reduction *r)
{
  if (r->terms)                 /* an expression is computed first */
    return GPR_OK;
  if (r->out_resident)
    return gpr_fail (GPR_UNSUPPORTED, "results of arrays on several GPUs are made on the host");
  return r->x_resident ? reduce (r) : gpr_cpu_backend.reduce (r);
}

gpr_status
gpr_spread_exact (gpr_reduction *r)
{
  return r->x_resident ? reduce (r) : gpr_cpu_backend.exact (r);
}

gpr_status
gpr_spread_column (const gpr_reduction *r, int64_t output, void *elements)
{
  const int64_t bytes = gpr_instances[r->instance].elem_bytes, c = output % r->inner, o = output / r->inner, slab = r->inner * r->length * bytes;
  char *host = malloc ((size_t) slab + 1);
  gpr_status status = host ? gpr_spread_read (r->x, o * slab, slab, host) : gpr_spread_no_memory (slab);

  for (int64_t k = 0; k < r->length && status == GPR_OK; k++)
    memcpy ((char *) elements + k * bytes, host + (c + r->inner * k) * bytes, (size_t) bytes);
  free (host);
  return status;
}

/* ---- counting --------------------------------------------------------------------------------- */

static gpr_status
count_part (const gpr_part *p, void *problem)
{
  gpr_counting own = *(const gpr_counting *) problem;
  const int64_t each = own.inner * own.bins * (int64_t) sizeof *own.counts;
  gpr_results counts;
  gpr_status status = gpr_results_open (&counts, p, own.counts, each * own.outer, each);

  own.outer = p->outer;
  own.x = p->x;
  own.x_resident = own.out_resident = false;
  own.counts = counts.at;
  own.bin_of = own.bin_of ? own.bin_of + p->from : NULL;
  if (status == GPR_OK)
    status = (p->together ? gpr_ranks_count : gpr_cpu_count) (&own);
  free (counts.own);
  return status;
}

gpr_status
gpr_spread_count (gpr_counting *c)
{
  gpr_counting own = *c;
  const int64_t bytes = gpr_elem_bytes[c->elem], numbers = c->inner * c->length * c->outer, each = sizeof (double);
  gpr_kept counts, places = { .given = NULL };

  if (c->terms)
    return GPR_OK;
  gpr_status status = gpr_kept_open (&counts, c->counts, c->out_resident, c->inner * c->bins * c->outer * each);
  if (status == GPR_OK)
    status = gpr_kept_open (&places, c->bin_of, c->out_resident, numbers * each);
  own.counts = counts.host;
  own.bin_of = places.host;
  own.out_resident = false;
  const gpr_pieces *x = c->x_resident ? c->x : NULL;
  if (status == GPR_OK && x)
    {
      const gpr_division d = gpr_division_of (x, NULL, bytes, c->inner, c->length, c->outer);
      status = gpr_division_run (&d, count_part, &own);
    }
  else if (status == GPR_OK)
    status = gpr_cpu_backend.count (&own);
  status = gpr_kept_close (&counts, status, NULL, 0, 0);
  return gpr_kept_close (&places, status, x, each, bytes);
}

/* ---- cumulative functions -------------------------------------------------------------------- */

static gpr_status
scan_part (const gpr_part *p, void *problem)
{
  gpr_scanning own = *(const gpr_scanning *) problem;
  own.outer = p->outer;
  own.x = p->x;
  own.x_resident = own.out_resident = false;
  own.y = (char *) own.y + p->from * gpr_elem_bytes[own.elem];
  own.index = own.index ? own.index + p->from : NULL;
  return (p->together ? gpr_ranks_scan : gpr_cpu_scan) (&own);
}

gpr_status
gpr_spread_scan (gpr_scanning *s)
{
  gpr_scanning own = *s;
  const int64_t bytes = gpr_elem_bytes[s->elem], numbers = s->inner * s->length * s->outer;
  gpr_kept y, index = { .given = NULL };

  if (s->terms)
    return GPR_OK;
  gpr_status status = gpr_kept_open (&y, s->y, s->out_resident, numbers * bytes);
  if (status == GPR_OK)
    status = gpr_kept_open (&index, s->index, s->out_resident, numbers * (int64_t) sizeof (double));
  own.y = y.host;
  own.index = index.host;
  own.out_resident = false;
  const gpr_pieces *x = s->x_resident ? s->x : NULL;
  if (status == GPR_OK && x)
    {
      const gpr_division d = gpr_division_of (x, NULL, bytes, s->inner, s->length, s->outer);
      status = gpr_division_run (&d, scan_part, &own);
    }
  else if (status == GPR_OK)
    status = gpr_cpu_backend.scan (&own);
  status = gpr_kept_close (&y, status, x, bytes, bytes);
  return gpr_kept_close (&index, status, x, sizeof (double), bytes);
}

/* ---- order statistics -------------------------------------------------------------------------- */

static int64_t
result_bytes (const gpr_selection *s)
{
  return ! s->p ? gpr_elem_bytes[s->elem] : s->elem == GPR_f32 ? (int64_t) sizeof (float) : (int64_t) sizeof (double);
}

static gpr_status
select_part (const gpr_part *p, void *problem)
{
  gpr_selection own = *(const gpr_selection *) problem;
  const int64_t each = own.inner * own.results * result_bytes (&own);
  gpr_results value;
  gpr_status status = gpr_results_open (&value, p, own.value, each * own.outer, each);

  own.outer = p->outer;
  own.x = p->x;
  own.center = own.center ? (const char *) own.center + p->first * own.inner * gpr_elem_bytes[own.elem] : NULL;
  own.x_resident = own.out_resident = false;
  own.value = value.at;
  if (status == GPR_OK)
    status = (p->together ? gpr_ranks_select : gpr_cpu_select) (&own);
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

  own.value = value.host;
  own.out_resident = false;
  if (status == GPR_OK && s->x_resident)
    {
      const gpr_division d = gpr_division_of (s->x, NULL, gpr_elem_bytes[s->elem], s->inner, s->length, s->outer);
      if (s->center)
        status = gpr_division_read (s->center, -1, &center);
      own.center = center;
      if (status == GPR_OK)
        status = gpr_division_run (&d, select_part, &own);
    }
  else if (status == GPR_OK)
    status = gpr_cpu_backend.select (&own);
  free (center);
  return gpr_kept_close (&value, status, NULL, 0, 0);
}

static gpr_status
order_part (const gpr_part *p, void *problem)
{
  gpr_ordering own = *(const gpr_ordering *) problem;
  const int64_t bytes = gpr_elem_bytes[own.elem], doubles = sizeof (double);
  gpr_results value, frequency = { NULL, NULL };
  gpr_status status = gpr_results_open (&value, p, own.value, own.inner * own.outer * bytes, own.inner * bytes);

  if (status == GPR_OK)
    status = gpr_results_open (&frequency, p, own.frequency, own.inner * own.outer * doubles, own.inner * doubles);
  own.outer = p->outer;
  own.x = p->x;
  own.x_resident = own.out_resident = false;
  own.value = value.at;
  own.frequency = frequency.at;
  own.sorted = own.sorted ? (char *) own.sorted + p->from * bytes : NULL;
  if (status == GPR_OK)
    status = (p->together ? gpr_ranks_order : gpr_cpu_order) (&own);
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
  own.value = value.host;
  own.frequency = frequency.host;
  own.out_resident = false;
  if (status == GPR_OK && o->x_resident)
    {
      gpr_division d = gpr_division_of (o->x, NULL, bytes, o->inner, o->length, o->outer);
      if (o->sorted && d.how == GPR_DIVIDED_ALONG)      /* ranks do not sort */
        d.how = GPR_DIVIDED_ANYHOW;
      status = gpr_division_run (&d, order_part, &own);
    }
  else if (status == GPR_OK)
    status = gpr_cpu_backend.order (&own);
  status = gpr_kept_close (&value, status, NULL, 0, 0);
  return gpr_kept_close (&frequency, status, NULL, 0, 0);
}

static gpr_status
rank_part (const gpr_part *p, void *problem)
{
  gpr_ranking own = *(const gpr_ranking *) problem;
  const int64_t bytes = gpr_elem_bytes[own.elem], doubles = sizeof (double), each = own.inner * own.count;
  gpr_results value, index = { NULL, NULL };
  gpr_status status = gpr_results_open (&value, p, own.value, each * own.outer * bytes, each * bytes);

  if (status == GPR_OK)
    status = gpr_results_open (&index, p, own.index, each * own.outer * doubles, each * doubles);
  own.outer = p->outer;
  own.x = p->x;
  own.x_resident = own.out_resident = false;
  own.value = value.at;
  own.index = index.at;
  if (status == GPR_OK)
    status = (p->together ? gpr_ranks_rank : gpr_cpu_rank) (&own);
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
  own.value = value.host;
  own.index = index.host;
  own.out_resident = false;
  if (status == GPR_OK && r->x_resident)
    {
      const gpr_division d = gpr_division_of (r->x, NULL, bytes, r->inner, r->length, r->outer);
      status = gpr_division_run (&d, rank_part, &own);
    }
  else if (status == GPR_OK)
    status = gpr_cpu_backend.rank (&own);
  status = gpr_kept_close (&value, status, NULL, 0, 0);
  return gpr_kept_close (&index, status, NULL, 0, 0);
}
