/* A share of a reduction: the units that a GPU takes while the CPU and other GPUs work on the others.  */

#include <stdlib.h>
#include <string.h>

#include "reduce_job.h"
#include "../core/share.h"

/* Units of one box: some parts of an outer, or whole outers.  Returns how many of
   the count from unit on.  */
static int64_t
box_of (const gpr_tree *t, int64_t unit, int64_t count, gpr_reduce_box *k)
{
  k->outer = unit / t->parts;
  k->part = unit % t->parts;
  k->outers = k->part == 0 && count >= t->parts ? count / t->parts : 1;
  k->parts = k->part == 0 && count >= t->parts ? t->parts : gpr_min64 (count, t->parts - k->part);
  k->tiles = 1;
  return k->outers * k->parts;
}

/* What was taken: runs of units, the last first.  Others take between them.  */
typedef struct {
  struct { int64_t first, count; } *run;
  int64_t runs, room, units;
} takings;

static gpr_status
note_taking (takings *t, int64_t first, int64_t count)
{
  t->units += count;
  if (t->runs > 0 && t->run[t->runs - 1].first == first + count)
    {
      t->run[t->runs - 1].first = first;
      t->run[t->runs - 1].count += count;
      return GPR_OK;
    }
  if (t->runs == t->room)
    {
      const int64_t room = t->room ? 2 * t->room : 64;
      void *more = realloc (t->run, room * sizeof *t->run);
      if (! more)
        return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
      t->run = more;
      t->room = room;
    }
  t->run[t->runs].first = first;
  t->run[t->runs++].count = count;
  return GPR_OK;
}

/* From the back, so many units at once that a slot holds them and that the others,
   meanwhile, do not finish first: a quarter of what is left to each.  */
static gpr_status
take_all (gpr_reduce_job *j, gpr_share *share, gpr_reduce_box *k, takings *t)
{
  const int64_t each = 4 * gpr_max64 (1, share->takers);
  gpr_cuda_slot *slot;
  int64_t unit, count;

  for (;;)
    {
      GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
      int64_t least = GPR_CUDA_LEAST / share->unit_bytes, most = j->plan.chunk_bytes / share->unit_bytes;
      count = share->take (share, true, gpr_max64 (1, gpr_min64 (most, gpr_max64 (least, share->left / each))), &unit);
      if (count == 0)
        break;
      GPR_TRY (note_taking (t, unit, count));
      for (int64_t some; count > 0; unit += some, count -= some)
        {
          some = box_of (&j->t, unit, count, k);
          GPR_TRY (gpr_reduce_run (j, slot, k));
          if (some < count)
            GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
        }
    }
  return gpr_cuda_drain (j->s);
}

/* Accumulators of the units that were taken.  */
static gpr_status
fetch_partials (gpr_reduce_job *j, gpr_share *share, const takings *took)
{
  const gpr_tree *t = &j->t;
  const size_t acc = j->kernel->acc_bytes, row = t->parts * acc;
  const int64_t last = took->run[0].first + took->run[0].count - 1;
  const int64_t outer = took->run[took->runs - 1].first / t->parts, outputs = (last / t->parts + 1 - outer) * t->inner;
  char *copy = malloc (outputs * row), *to = share->partials + outer * t->inner * row;

  if (! copy)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * row);
  gpr_cuda_view v = gpr_cuda_bytes (copy, outputs * row);
  gpr_status status = gpr_cuda_download (j->s, &v, (char *) j->partials + outer * t->inner * row);
  /* There [outer][part][column], here [outer][column][part].  */
  for (int64_t i = 0; status == GPR_OK && i < took->runs; i++)
    for (int64_t unit = took->run[i].first; unit < took->run[i].first + took->run[i].count; unit++)
      for (int64_t c = 0, o = unit / t->parts - outer, p = unit % t->parts; c < t->inner; c++)
        {
          char *own = to + ((o * t->inner + c) * t->parts + p) * acc;
          memcpy (own, copy + ((o * t->parts + p) * t->inner + c) * acc, acc);
          if (j->kernel->turn)
            gpr_reduce_turn_back (j->kernel, own);
        }
  free (copy);
  return status;
}

/* Of outers of one part.  */
static gpr_status
fetch_results (gpr_reduce_job *j, const takings *took)
{
  gpr_reduction *r = j->r;
  const size_t bytes = j->kernel->value_bytes;
  const char *values = (char *) j->results + gpr_reduce_index_bytes (j, r->inner * r->outer);

  for (int64_t i = 0; i < took->runs; i++)
    {
      const int64_t first = took->run[i].first * r->inner, outputs = took->run[i].count * r->inner;
      gpr_cuda_view v = gpr_cuda_bytes ((char *) r->value + first * bytes, outputs * bytes);
      gpr_cuda_view at = gpr_cuda_bytes (r->index + first, outputs * sizeof *r->index);
      GPR_TRY (gpr_cuda_download (j->s, &v, values + first * bytes));
      if (r->index)
        GPR_TRY (gpr_cuda_download (j->s, &at, (int64_t *) j->results + first));
    }
  return GPR_OK;
}

static gpr_status
run_share (gpr_reduce_job *j, gpr_share *share, takings *t)
{
  gpr_reduce_box k = { .box_columns = j->t.inner, .out = { .divisor = j->r->divisor, .needs_fixup = j->s->needs_fixup } };

  if (j->results)
    {
      k.out.index = j->r->index ? j->results : NULL;
      k.out.value = (char *) j->results + gpr_reduce_index_bytes (j, j->r->inner * j->r->outer);
    }
  *(volatile int *) j->s->needs_fixup = 0;
  GPR_TRY (take_all (j, share, &k, t));
  if (*(volatile int *) j->s->needs_fixup)
    share->needs_fixup = true;
  if (t->runs == 0)
    return GPR_OK;
  return j->partials ? fetch_partials (j, share, t) : fetch_results (j, t);
}

gpr_status
gpr_cuda_share (gpr_cuda_state *s, gpr_share *share, int64_t *units)
{
  gpr_reduction *r = share->r;
  gpr_reduce_job j;
  takings t = { .runs = 0 };
  const size_t outputs = r->inner * r->outer, most = gpr_cuda_room () / (2 * GPR_CUDA_SLOTS);

  *units = 0;
  GPR_TRY (gpr_reduce_start (&j, s, r, &share->tree));
  /* nvcc aligns complex numbers, the host's compiler does not: then an index and its value differ.  */
  if (share->partials && j.kernel->acc_bytes != share->acc_bytes)
    return GPR_OK;
  j.plan = (gpr_reduce_plan) { .outers = 1, .tiles = 1, .chunk_bytes = gpr_max64 (share->unit_bytes, gpr_min64 (most, GPR_CUDA_CHUNK)),
                               .partial_bytes = share->partials ? j.t.parts * j.kernel->acc_bytes : 0 };

  gpr_status status = share->partials ? gpr_cuda_take (j.s, &j.partials, outputs * j.plan.partial_bytes)
                      : gpr_cuda_take (j.s, &j.results, gpr_reduce_results_bytes (&j, outputs));
  if (status == GPR_OK)
    status = gpr_cuda_equip_slots (j.s, GPR_CUDA_SLOTS, j.plan.chunk_bytes);
  if (status == GPR_OK)
    status = run_share (&j, share, &t);
  *units = t.units;
  gpr_cuda_finish (j.s);
  gpr_reduce_release (&j);
  free (t.run);
  return status;
}
