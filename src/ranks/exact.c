/* Exact sums over the divided dimension.  Short columns are dealt out (columns.h); of long ones each rank has long sums of its rows, which
   are added without rounding.  */

#include <stdlib.h>

#include "../cpu/cpu.h"
#include "columns.h"

static gpr_status
no_memory (size_t bytes)
{
  return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
}

static gpr_status
sum_dealt (const gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  gpr_dealt x = { .inner = r->inner, .length = r->length, .outer = r->outer }, y = x;
  gpr_reduction own = *r;
  void *value = NULL;
  gpr_status status = gpr_deal_columns (&x, r->x, f->elem_bytes);

  if (status == GPR_OK && r->y)
    status = gpr_deal_columns (&y, r->y, f->elem_bytes);
  if (status == GPR_OK && ! (value = malloc (x.count * f->value_bytes + 1)))
    status = no_memory (x.count * f->value_bytes);
  own.inner = x.count;
  own.outer = 1;
  own.x = x.x;
  own.y = r->y ? y.x : NULL;
  own.x_resident = false;
  own.value = value;
  if (status == GPR_OK && x.count > 0)
    status = gpr_cpu_exact (&own);
  if (status == GPR_OK)
    status = gpr_collect_columns (&x, value, 1, f->value_bytes, r->value);
  free (x.x);
  free (y.x);
  free (value);
  return status;
}

/* Of this rank's rows: where they lie, if that backend does it and has the memory.  */
static gpr_status
add_own (gpr_reduction *own, const gpr_piece *x, const gpr_piece *y, void *totals)
{
  const size_t bytes = (size_t) (own->inner * own->length * own->outer) * gpr_instances[own->instance].elem_bytes;
  gpr_status status = GPR_UNSUPPORTED;

  own->x = x->data;
  own->y = y ? y->data : NULL;
  own->x_resident = gpr_on_device (x) && x->home->exact_totals && (! y || y->home == x->home);
  if (own->x_resident && own->length > 0)
    status = x->home->exact_totals (own, totals);
  if (status != GPR_UNSUPPORTED && status != GPR_OUT_OF_MEMORY)
    return status;
  own->x_resident = false;
  status = gpr_piece_here (x, bytes, &own->x);
  if (status == GPR_OK && y)
    status = gpr_piece_here (y, bytes, &own->y);
  return status == GPR_OK ? gpr_cpu_exact_totals (own, totals) : status;
}

static gpr_status
sum_long (const gpr_reduction *r, const gpr_world *w)
{
  gpr_reduction own = *r;
  size_t bytes;
  const int64_t sums = gpr_cpu_exact_sums (r, &bytes);
  void *totals = malloc (sums * bytes);

  if (! totals)
    return no_memory (sums * bytes);
  own.length = gpr_own_rows (r->x, w, r->length);
  gpr_status status = add_own (&own, r->x, r->y, totals);
  if (status == GPR_OK)
    status = gpr_world_combine (totals, sums, bytes, gpr_cpu_exact_add);
  if (status == GPR_OK)
    gpr_cpu_exact_round (&own, totals);
  free (totals);
  return status;
}

bool
gpr_deals_exact (const gpr_reduction *r, int ranks)
{
  const int64_t few = 2048;     /* rows, whose bytes are some long sums' */
  return r->length < few && r->inner * r->outer >= ranks;
}

gpr_status
gpr_ranks_exact (gpr_reduction *r)
{
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK)
    return status;
  status = gpr_deals_exact (r, w.size) ? sum_dealt (r) : sum_long (r, &w);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}
