/* accumarray on the GPU: a chunk of elements goes to the outputs of a window.  */

#include <string.h>

#include "scatter_job.h"

enum { BLOCK = GPR_SCATTER_THREADS };

/* Where elements from … are on the device.  */
static gpr_status
bring (gpr_scatter_job *j, const void *data, bool resident, void *copy, int64_t from, int64_t count, int64_t bytes, const void **at)
{
  const char *x = (const char *) data + from * bytes;
  gpr_cuda_view v = gpr_cuda_bytes (x, (size_t) (count * bytes));
  *at = resident ? x : copy;
  return resident ? GPR_OK : gpr_cuda_upload (j->s, copy, &v);
}

gpr_status
gpr_scatter_launch (gpr_scatter_job *j, const void *kernel, int64_t items, const void *args)
{
  return gpr_cuda_launch (j->s, kernel, gpr_over (items, BLOCK), BLOCK, 0, args);
}

static gpr_status
add_to_tables (gpr_scatter_job *j, const gpr_scatter_keys_args *k, const void *values, int64_t n)
{
  const gpr_scattering *p = j->p;
  const void *subs = j->direct ? k->column[0].at : j->keys[0];

  if (! j->direct)
    GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_keys (), n, k));
  if (j->counted)
    {
      gpr_scatter_count_args c = { .n = n, .outputs = (uint32_t) j->count, .subs = subs, .counts = j->counts, .flags = j->flags };
      GPR_TRY (gpr_cuda_launch (j->s, gpr_engine_scatter_count (j->direct),
                                gpr_min64 (gpr_over (n, 16 * BLOCK), 6 * j->s->multiprocessors), BLOCK, 0, &c));
    }
  if (p->op == GPR_SCATTER_COUNT)
    return GPR_OK;
  gpr_scatter_few_args a = {
    .n = n, .groups = gpr_over (n, gpr_scatter_unit (j)), .chunk = j->cut.chunk, .outputs = (uint32_t) j->count, .group = j->cut.group,
    .subs = subs, .values = values, .repeated = p->repeated, .look_beyond = p->from_zero, .op = p->op, .tables = j->tables, .sums = j->sums,
    .out = j->out, .flags = j->flags
  };
  const void *kernel = gpr_engine_scatter_few (j->direct, p->in, p->to);
  const size_t shared = gpr_scatter_few_shared (a.group, j->count, (int) j->out_bytes, p->op == GPR_SCATTER_SUM, ! j->tables);
  const int64_t blocks = j->tables ? gpr_min64 (a.groups, (int64_t) j->s->multiprocessors * GPR_SCATTER_TABLE_BLOCKS) : a.groups;
  memcpy (a.start, &p->start, sizeof a.start);
  GPR_CUDA_TRY (cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared), "asking for shared memory");
  GPR_CUDA_TRY (cudaFuncSetAttribute (kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
                "asking for shared memory");
  GPR_TRY (gpr_cuda_launch (j->s, kernel, blocks, 32 * a.group, shared, &a));
  return gpr_cuda_launch (j->s, gpr_engine_scatter_merge (p->to), gpr_over (j->count, 32), BLOCK, 0, &a);
}

static gpr_status
sort_and_add (gpr_scatter_job *j, const gpr_scatter_keys_args *k, const void *values, int64_t n)
{
  const gpr_scattering *p = j->p;
  size_t bytes = j->temp_bytes;
  int at = 0;

  GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_keys (), n, k));
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_sort (sizeof (uint32_t), j->bits, (void **) j->keys, j->positions, &at, n,
                                               j->temp, &bytes, j->s->work), "sorting");
  if (j->runs)
    {
      gpr_scatter_runs_args r = { .n = n, .count = (uint32_t) j->count, .keys = j->keys[at], .begin = j->begin, .end = j->end };
      GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_runs (), n, &r));
    }
  if (p->op != GPR_SCATTER_COUNT)
    {
      gpr_scatter_add_args a = {
        .n = n, .count = (uint32_t) j->count, .piece = j->way == GPR_SCATTER_IN_PIECES ? (uint32_t) j->cut.piece : 0, .keys = j->keys[at],
        .positions = j->positions[at], .begin = j->begin, .end = j->end, .counts = gpr_scatter_several_chunks (j) ? j->counts : NULL,
        .values = values, .repeated = p->repeated, .op = p->op, .out = j->out, .part = j->part, .sums = j->sums
      };
      memcpy (a.start, &p->start, sizeof a.start);
      GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_add (p->in, p->to), n, &a));
      if (j->way == GPR_SCATTER_IN_PIECES && (j->part || n > j->cut.piece))
        GPR_TRY (gpr_scatter_launch (j, gpr_engine_scatter_add_pieces (p->to), j->count, &a));
    }
  if (! j->counts)
    return GPR_OK;
  gpr_scatter_finish_args f = { .count = j->count, .counts = j->counts, .begin = j->begin, .end = j->end };
  return gpr_scatter_launch (j, gpr_engine_scatter_lengths (), j->count, &f);
}

static gpr_status
add_chunk (gpr_scatter_job *j, int64_t from, int64_t n)
{
  gpr_scattering *p = j->p;
  gpr_scatter_keys_args k = {
    .n = n, .first = j->first, .count = (uint32_t) j->count, .columns = p->columns, .only = j->only, .keys = j->keys[0],
    .positions = j->positions[0], .flags = j->flags, .elem = p->in, .repeated = p->repeated, .op = p->op
  };
  const void *values = NULL;
  gpr_cuda_slot *slot;

  GPR_TRY (gpr_cuda_drain (j->s));      /* who reads the chunk before */
  for (int i = 0; i < p->columns; i++)
    {
      k.column[i] = p->column[i];
      GPR_TRY (bring (j, p->column[i].at, p->column_resident[i], j->columns[i], from, n,
                      gpr_bytes_of (p->column[i].elem), &k.column[i].at));
    }
  if (p->op != GPR_SCATTER_COUNT)
    GPR_TRY (bring (j, p->values, p->values_resident, j->values, p->repeated ? 0 : from, p->repeated ? 1 : n,
                    j->elem_bytes, &values));
  k.values = p->from_zero && j->way != GPR_SCATTER_IN_TABLES ? values : NULL;
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (j->way == GPR_SCATTER_IN_TABLES ? add_to_tables (j, &k, values, n) : sort_and_add (j, &k, values, n));
  return gpr_cuda_end_work (j->s, slot);
}

gpr_status
gpr_scatter_add_chunks (gpr_scatter_job *j)
{
  if (j->begin)
    {
      GPR_CUDA_TRY (cudaMemsetAsync (j->begin, 0, (size_t) j->count * sizeof (uint32_t), j->s->work), "clearing runs");
      GPR_CUDA_TRY (cudaMemsetAsync (j->end, 0, (size_t) j->count * sizeof (uint32_t), j->s->work), "clearing runs");
    }
  for (int64_t from = 0; from < j->p->n; from += j->chunk)
    {
      GPR_TRY (add_chunk (j, from, gpr_min64 (j->chunk, j->p->n - from)));
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  return GPR_OK;
}

