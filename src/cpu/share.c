/* A share of a reduction on which others work, too (core/share.h).  */

#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/share.h"

gpr_status
gpr_cpu_share (gpr_share *s)
{
  const gpr_cpu_job g = gpr_cpu_job_of (s->r);
  const gpr_tree *t = &g.tree;
  const int64_t some_bytes = 1 << 19, some = s->unit_bytes < some_bytes ? some_bytes / s->unit_bytes : 1;
  const size_t each = g.info->acc_bytes;
  const bool short_rows = gpr_cpu_has_short_rows (&g);
  char acc[256 * GPR_ACC_BYTES] __attribute__ ((aligned (64)));
  int needs_fixup = 0;
  int64_t first, count;

  while ((count = s->take (s, false, some, &first)) > 0)
    {
      if (gpr_interrupted ())
        return gpr_fail (GPR_INTERRUPTED, "interrupted");
      if (short_rows)
        {
          needs_fixup |= gpr_cpu_short_rows (&g, first, count);
          continue;
        }
      for (int64_t unit = first; unit < first + count; unit++)
        {
          int64_t o = unit / t->parts, p = unit % t->parts;
          gpr_cpu_reduce_part (&g, o, 0, p, acc);
          if (t->parts == 1)
            needs_fixup |= gpr_cpu_finish (&g, o, 0, acc);
          else
            for (int64_t c = 0; c < t->inner; c++)
              memcpy (s->partials + ((o * t->inner + c) * t->parts + p) * each, acc + c * each, each);
        }
    }
  if (needs_fixup)
    s->needs_fixup = true;
  return GPR_OK;
}

void
gpr_cpu_finish_shares (gpr_share *s)
{
  const gpr_tree *t = &s->tree;
  const gpr_reduction *r = s->r;
  const gpr_instance_info *info = &gpr_instances[r->instance];
  const gpr_cpu_loops *loops = gpr_cpu_loops_of (r->instance);
  const int64_t outputs = t->inner * t->outer;
  const size_t each = info->acc_bytes;
  int needs_fixup = 0;

  #pragma omp parallel for num_threads (gpr_cpu_threads ()) if (outputs * t->parts > 1 << 15) reduction (| : needs_fixup)
  for (int64_t i = 0; i < outputs; i++)
    {
      char *partial = s->partials + i * t->parts * each;
      for (int64_t step = 1; step < t->parts; step *= 2)
        for (int64_t p = 0; p + step < t->parts; p += 2 * step)
          loops->merge (partial + p * each, partial + (p + step) * each, 1);
      needs_fixup |= loops->finish (partial, 1, r->divisor, (char *) r->value + i * info->value_bytes,
                                    r->index ? r->index + i : NULL);
    }
  if (needs_fixup)
    s->needs_fixup = true;
}
