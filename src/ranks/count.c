/* Counting into bins along the divided dimension: each rank its elements, and the counts are added, which are whole numbers.  */

#include <string.h>

#include "../cpu/cpu.h"
#include "ranks.h"

gpr_status
gpr_ranks_count (gpr_counting *c)
{
  const gpr_piece *x = c->x;
  const int64_t counts = c->inner * c->bins * c->outer;
  gpr_counting own = *c;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK)
    return status;
  own.x = x->data;
  own.terms = x->making ? x->making->terms : NULL;
  own.x_resident = gpr_on_device (x);
  own.fused = true;
  own.length = gpr_own_rows (x, &w, c->length);
  if (own.length > 0)
    status = own.x_resident ? x->home->count (&own) : gpr_cpu_count (&own);
  c->fused = own.fused;
  if (own.length <= 0 || (own.terms && ! own.fused))
    memset (c->counts, 0, counts * sizeof *c->counts);
  if (status == GPR_OK)
    status = gpr_world_combine (c->counts, counts, sizeof *c->counts, gpr_add_doubles);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}
