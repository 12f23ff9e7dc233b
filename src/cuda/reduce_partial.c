/* Subtrees of a reduction: parts whose rows are on the device, merged there as far as they are asked for.  */

#include <stdlib.h>

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

/* To accumulators, merged, or (NULL) to results.  */
static gpr_status
launch_merge (gpr_reduce_job *j, const void *partials, int64_t parts, void *merged, const gpr_reduce_out *out)
{
  gpr_reduce_launch l = gpr_reduce_plan_merge (&j->device, j->kernel->acc_bytes, parts, j->t.inner, 1);
  l.own.parts.merged = merged;
  gpr_reduce_args a = { .algorithm = l.algorithm, .own = l.own, .all_parts = parts, .outers = 1, .out_columns = j->t.inner,
                        .out_stride = j->t.inner, .partials = (void *) (uintptr_t) partials };
  if (out)
    {
      a.out = *out;
      if (! j->r->y)
        a.load.array.turn = j->kernel->turn;
    }
  return gpr_cuda_launch (j->s, j->kernel->lanes, l.blocks, l.threads, 0, &a);
}

/* Until the end.  */
typedef struct {
  gpr_reduce_job j;
  gpr_reduction r;
  gpr_reduce_kernels kernels;   /* of r.terms, and their arguments */
  gpr_terms_args terms;
  char *partials, *merged;      /* merged: NULL where all parts are wanted singly */
} running;

static size_t
column_bytes (const gpr_reduce_job *j)
{
  return (size_t) j->t.inner * j->kernel->acc_bytes;
}

static gpr_status
fetch (gpr_reduce_job *j, const gpr_partial *p, const char *from)
{
  const size_t bytes = column_bytes (j);
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

static gpr_status
launch_all (running *w, const gpr_partial *p)
{
  const size_t bytes = column_bytes (&w->j);
  GPR_TRY (launch_parts (&w->j, p->first, p->end[p->count - 1] - p->first));
  for (int64_t k = 0, first = p->first; w->merged && k < p->count; first = p->end[k++])
    GPR_TRY (launch_merge (&w->j, w->partials + (first - p->first) * bytes, p->end[k] - first, w->merged + k * bytes, NULL));
  return GPR_OK;
}

/* x and y as if row 0 were there; of an expression x is an address too, where its element 0 would have 0.  */
static gpr_status
start (running *w, gpr_cuda_state *s, const gpr_partial *p)
{
  gpr_tree t = p->tree;
  gpr_reduce_job *j = &w->j;

  t.outer = 1;
  t.parts = gpr_max64 (t.parts, 2);     /* of one part kernels would write results */
  w->r = p->r;
  w->r.x_resident = true;
  GPR_TRY (gpr_reduce_start (j, s, &w->r, &t));
  /* nvcc aligns complex numbers, the host's compiler does not: then an index and its value differ.  */
  if (j->kernel->acc_bytes != p->acc_bytes)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "the accumulators of reduction %d are not the host's", (int) w->r.instance);
  const uintptr_t back = (uintptr_t) (p->first_row * w->r.inner * j->kernel->elem_bytes);
  w->r.x = (const void *) ((uintptr_t) w->r.x - back);
  w->r.y = w->r.y ? (const void *) ((uintptr_t) w->r.y - back) : NULL;
  return GPR_OK;
}

/* What parts are launched with; of an expression, whether there is a kernel for that.  */
static bool
plan (running *w, const gpr_partial *p)
{
  gpr_reduce_job *j = &w->j;
  const int64_t parts = p->end[p->count - 1] - p->first;
  const bool takes = ! w->r.terms || gpr_reduce_takes_terms (j, &w->kernels);

  j->plan = (gpr_reduce_plan) { .outers = 1, .tiles = j->t.tiles, .parts = parts, .partial_bytes = parts * j->kernel->acc_bytes };
  const uintptr_t first = (uintptr_t) w->r.x + (uintptr_t) (p->first * j->t.rows * j->t.inner * j->kernel->elem_bytes);
  const gpr_reduce_chunk k = { first, 0, j->t.inner, 1, j->t.tiles, parts, false };
  return takes && (! w->r.terms || gpr_reduce_find_compiled (j, &k, &w->terms));
}

static gpr_status
allocate (running *w, const gpr_partial *p)
{
  gpr_reduce_job *j = &w->j;
  const int64_t parts = p->end[p->count - 1] - p->first;

  j->partials = p->partials;
  if (p->partials)
    return GPR_OK;
  const size_t bytes = column_bytes (j), all = (size_t) (parts + p->count) * bytes;
  void *memory;

  if (parts > 1 && all > gpr_cuda_room ())
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%zu bytes of accumulators are more than a call may have (gpu_config (\"memory_limit\"))", all);
  GPR_TRY (gpr_cuda_take (j->s, &memory, all));
  w->partials = memory;
  w->merged = p->count < parts ? w->partials + parts * bytes : NULL;
  j->partials = (void *) ((uintptr_t) memory - (uintptr_t) (p->first * (int64_t) bytes));       /* where part 0's would be */
  return GPR_OK;
}

static void
end (gpr_cuda_state *s, gpr_partial *p)
{
  running *w = p->running;
  gpr_cuda_finish (s);
  gpr_cuda_give (w->partials);
  free (w);
  p->running = NULL;
}

gpr_status
gpr_cuda_partial_begin (gpr_cuda_state *s, gpr_partial *p)
{
  running *w = p->running = calloc (1, sizeof *w);
  if (! w)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "out of host memory");
  gpr_status status = start (w, s, p);
  const bool can = status == GPR_OK && plan (w, p);
  if (p->asked)
    *p->asked = can;
  else if (status == GPR_OK && ! can)
    status = gpr_cuda_fail (GPR_UNSUPPORTED, "the kernel of an expression is not ready");
  if (status == GPR_OK && ! p->asked)
    status = allocate (w, p);
  if (status == GPR_OK && ! p->asked)
    status = launch_all (w, p);
  if (status != GPR_OK || p->asked)
    end (s, p);
  return status;
}

gpr_status
gpr_cuda_partial_end (gpr_cuda_state *s, gpr_partial *p, bool wanted)
{
  running *w = p->running;
  const gpr_status status = ! wanted ? GPR_OK : p->partials ? gpr_cuda_drain (s) : fetch (&w->j, p, w->merged ? w->merged : w->partials);
  end (s, p);
  return status;
}

/* What merges has ended, and its results are where they are wanted.  */
static gpr_status
bring_results (gpr_cuda_state *s, const gpr_partial *p, const gpr_reduce_out *out, int64_t outputs, int value_bytes)
{
  gpr_cuda_view value = gpr_cuda_bytes (p->r.value, (size_t) outputs * value_bytes), index = gpr_cuda_bytes (p->r.index, outputs * sizeof *p->r.index);

  if (p->r.out_resident)
    {
      GPR_CUDA_TRY (cudaEventRecord (s->slots[0].done, s->work), "reducing");
      GPR_TRY (gpr_cuda_wait (s->slots[0].done));
      return gpr_cuda_drain (s);
    }
  GPR_TRY (gpr_cuda_download (s, &value, out->value));
  return p->r.index ? gpr_cuda_download (s, &index, out->index) : GPR_OK;
}

/* The tree over all parts; its results by way of memory like theirs, unless they stay on the device.  */
gpr_status
gpr_cuda_partial_results (gpr_cuda_state *s, gpr_partial *p)
{
  gpr_reduce_out out = { .value = p->r.value, .index = p->r.index, .rows = p->r.rows, .divisor = p->r.divisor, .needs_fixup = s->needs_fixup };
  void *results = NULL;
  running w;

  GPR_TRY (start (&w, s, p));
  gpr_reduce_job *j = &w.j;
  const int64_t outputs = j->t.inner;
  if (! p->r.out_resident)
    {
      GPR_TRY (gpr_cuda_take (s, &results, gpr_reduce_results_bytes (j, outputs)));
      out.value = (char *) results + gpr_reduce_index_bytes (j, outputs);
      out.index = p->r.index ? results : NULL;
    }
  *(volatile int *) s->needs_fixup = 0;
  gpr_status status = launch_merge (j, p->partials, p->tree.parts, NULL, &out);
  if (status == GPR_OK)
    status = bring_results (s, p, &out, outputs, j->kernel->value_bytes);
  if (status == GPR_OK)
    p->r.needs_fixup = *(volatile int *) s->needs_fixup != 0;
  gpr_cuda_finish (s);
  gpr_cuda_give (results);
  return status;
}
