/* Subtrees of a reduction: parts whose rows are on the device, merged there as far as they are asked for.  */

#include "reduce_job.h"
#include "../core/partial.h"

/* The accumulators of all parts, [part][column].  */
static gpr_status
launch_parts (gpr_reduce_job *j, int64_t first, int64_t parts)
{
  gpr_reduce_box k = { .box_columns = j->t.inner, .out = { .needs_fixup = j->s->needs_fixup }, .part = first,
                       .outers = 1, .tiles = j->t.tiles, .parts = parts };
  gpr_cuda_slot *slot;
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  return gpr_reduce_run (j, slot, &k);
}

static gpr_status
launch_merge (gpr_reduce_job *j, const void *partials, int64_t parts, void *merged)
{
  gpr_reduce_launch l = gpr_reduce_plan_merge (&j->device, parts, j->t.inner, 1);
  l.own.parts.merged = merged;
  const gpr_reduce_args a = { .algorithm = l.algorithm, .own = l.own, .all_parts = parts, .outers = 1, .out_columns = j->t.inner,
                              .out_stride = j->t.inner, .partials = (void *) (uintptr_t) partials };
  return gpr_cuda_launch (j->s, j->kernel->lanes, l.blocks, l.threads, 0, &a);
}

static gpr_status
fetch (gpr_reduce_job *j, const gpr_partial *p, const char *from, size_t bytes)
{
  if (p->apart == bytes)
    {
      const gpr_cuda_view all = gpr_cuda_bytes (p->accumulators, p->count * bytes);
      GPR_TRY (gpr_cuda_download (j->s, &all, from));
    }
  else
    for (int64_t k = 0; k < p->count; k++)
      {
        const gpr_cuda_view v = gpr_cuda_bytes (p->accumulators + k * p->apart, bytes);
        GPR_TRY (gpr_cuda_download (j->s, &v, from + k * bytes));
      }
  for (int64_t k = 0; k < p->count && j->kernel->turn; k++)
    for (int64_t c = 0; c < j->t.inner; c++)
      gpr_reduce_turn_back (j->kernel, p->accumulators + k * p->apart + c * j->kernel->acc_bytes);
  return GPR_OK;
}

/* j->partials is where part 0's would be.  */
static gpr_status
run (gpr_reduce_job *j, const gpr_partial *p, char *partials, char *merged)
{
  const int64_t end = p->end[p->count - 1];
  const size_t bytes = (size_t) j->t.inner * j->kernel->acc_bytes;

  GPR_TRY (launch_parts (j, p->first, end - p->first));
  for (int64_t k = 0, first = p->first; merged && k < p->count; first = p->end[k++])
    GPR_TRY (launch_merge (j, partials + (first - p->first) * bytes, p->end[k] - first, merged + k * bytes));
  return fetch (j, p, merged ? merged : partials, bytes);
}

gpr_status
gpr_cuda_partial (gpr_cuda_state *s, const gpr_partial *p)
{
  gpr_reduction r = *p->r;
  gpr_tree t = p->tree;
  gpr_reduce_job j;
  const int64_t parts = p->end[p->count - 1] - p->first;
  void *merged = NULL, *partials = NULL;

  t.outer = 1;
  t.parts = gpr_max64 (t.parts, 2);     /* of one part kernels would write results */
  const intptr_t back = p->first_row * r.inner * gpr_instances[r.instance].elem_bytes;
  r.x = (const void *) ((uintptr_t) r.x - (uintptr_t) back);
  r.y = r.y ? (const void *) ((uintptr_t) r.y - (uintptr_t) back) : NULL;
  r.x_resident = true;
  GPR_TRY (gpr_reduce_start (&j, s, &r, &t));
  /* nvcc aligns complex numbers, the host's compiler does not: then an index and its value differ.  */
  if (j.kernel->acc_bytes != gpr_instances[r.instance].acc_bytes)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "the accumulators of reduction %d are not the host's", (int) r.instance);
  const size_t bytes = (size_t) t.inner * j.kernel->acc_bytes;
  j.plan = (gpr_reduce_plan) { .outers = 1, .tiles = t.tiles, .parts = parts, .partial_bytes = parts * j.kernel->acc_bytes };
  gpr_status status = gpr_cuda_take (s, &partials, parts * bytes);
  if (status == GPR_OK && p->count < parts)
    status = gpr_cuda_take (s, &merged, p->count * bytes);
  j.partials = (void *) ((uintptr_t) partials - (uintptr_t) (p->first * (int64_t) bytes));
  if (status == GPR_OK)
    status = run (&j, p, partials, merged);
  gpr_cuda_finish (s);
  gpr_cuda_give (partials);
  gpr_cuda_give (merged);
  return status;
}
