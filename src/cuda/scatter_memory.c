/* accumarray on the GPU: its memory.  */

#include "scatter_job.h"

static int
bits_of (int64_t x)
{
  int bits = 1;
  while (x >> bits)
    bits++;
  return bits;
}

int64_t
gpr_scatter_unit_bytes (const gpr_scatter_job *j)
{
  const gpr_scattering *p = j->p;
  int64_t bytes = j->way == GPR_SCATTER_IN_TABLES ? (j->direct ? 0 : sizeof (uint32_t)) : 4 * sizeof (uint32_t);
  for (int i = 0; i < p->columns; i++)
    bytes += p->column_resident[i] ? 0 : gpr_bytes_of (p->column[i].elem);
  bytes += p->values_resident || p->repeated ? 0 : j->elem_bytes;
  bytes += gpr_scatter_several_chunks (j) ? j->out_bytes : 0;
  return bytes * gpr_scatter_unit (j) + (j->way == GPR_SCATTER_IN_TABLES ? gpr_scatter_outputs (p) * j->out_bytes : 0);
}

int64_t
gpr_scatter_output_bytes (const gpr_scatter_job *j)
{
  return (j->p->out_resident ? 0 : j->out_bytes) + (j->runs ? 8 : 0) + (j->counted || gpr_scatter_several_chunks (j) ? 8 : 0)
         + (j->look ? 1 : 0) + (gpr_scatter_several_chunks (j) ? j->out_bytes : 0);
}

static gpr_status
allocate_sort (gpr_scatter_job *j)
{
  int at = 0;

  for (int i = 0; i < 2; i++)
    {
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->keys[i], j->chunk * sizeof (uint32_t)));
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->positions[i], j->chunk * sizeof (uint32_t)));
    }
  j->bits = bits_of (j->window);
  GPR_CUDA_TRY ((cudaError_t) gpr_engine_sort (sizeof (uint32_t), j->bits, (void **) j->keys, j->positions, &at, j->chunk,
                                               NULL, &j->temp_bytes, j->s->work), "planning a sort");
  GPR_TRY (gpr_cuda_take (j->s, &j->temp, gpr_max64 (1, j->temp_bytes)));
  if (j->runs)
    {
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->begin, j->window * sizeof (uint32_t)));
      GPR_TRY (gpr_cuda_take (j->s, (void **) &j->end, j->window * sizeof (uint32_t)));
    }
  if (j->way == GPR_SCATTER_IN_PIECES && j->p->op != GPR_SCATTER_COUNT)
    GPR_TRY (gpr_cuda_take (j->s, &j->sums, (gpr_scatter_several_chunks (j) ? j->chunk : 2 * (j->chunk / j->cut.piece + 1)) * j->out_bytes));
  return gpr_scatter_several_chunks (j) ? gpr_cuda_take (j->s, &j->part, j->window * j->out_bytes) : GPR_OK;
}

static bool
tables_are_shared (const gpr_scatter_job *j)
{
  return gpr_scatter_few_shared (j->cut.group, j->window, (int) j->out_bytes, j->p->op == GPR_SCATTER_SUM, true) <= j->s->shared_bytes;
}

static gpr_status
allocate_tables (gpr_scatter_job *j)
{
  const int64_t table = j->window * j->out_bytes;

  if (! j->direct)
    GPR_TRY (gpr_cuda_take (j->s, (void **) &j->keys[0], j->chunk * sizeof (uint32_t)));
  if (j->p->op == GPR_SCATTER_COUNT)
    return GPR_OK;
  if (! tables_are_shared (j))
    GPR_TRY (gpr_cuda_take (j->s, &j->tables, (int64_t) j->s->multiprocessors * GPR_SCATTER_TABLE_BLOCKS * j->cut.group * table));
  return gpr_cuda_take (j->s, &j->sums, gpr_over (j->chunk, gpr_scatter_unit (j)) * table);
}

gpr_status
gpr_scatter_allocate (gpr_scatter_job *j)
{
  const gpr_scattering *p = j->p;

  for (int i = 0; i < p->columns; i++)
    if (! p->column_resident[i])
      GPR_TRY (gpr_cuda_take (j->s, &j->columns[i], j->chunk * gpr_bytes_of (p->column[i].elem)));
  if (! p->values_resident && p->op != GPR_SCATTER_COUNT)
    GPR_TRY (gpr_cuda_take (j->s, &j->values, (p->repeated ? 1 : j->chunk) * j->elem_bytes));
  GPR_TRY (j->way == GPR_SCATTER_IN_TABLES ? allocate_tables (j) : allocate_sort (j));
  if (j->only)
    return gpr_cuda_take (j->s, &j->flags, GPR_SCATTER_FLAG_BYTES);
  if (! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->memory, j->window * j->out_bytes));
  if (j->counted || gpr_scatter_several_chunks (j))
    GPR_TRY (gpr_cuda_take (j->s, &j->counts, j->window * sizeof (unsigned long long)));
  if (j->look)
    GPR_TRY (gpr_cuda_take (j->s, &j->again, j->window));
  return gpr_cuda_take (j->s, &j->flags, GPR_SCATTER_FLAG_BYTES);
}

void
gpr_scatter_release (gpr_scatter_job *j)
{
  void **all[] = { &j->values, &j->temp, &j->memory, &j->counts, &j->again, &j->sums, &j->part, &j->tables, &j->flags,
                   (void **) &j->keys[0], (void **) &j->keys[1], (void **) &j->positions[0], (void **) &j->positions[1],
                   (void **) &j->begin, (void **) &j->end };

  for (int i = 0; i < GPR_SCATTER_COLUMNS; i++)
    {
      gpr_cuda_give (j->columns[i]);
      j->columns[i] = NULL;
    }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      gpr_cuda_give (*all[i]);
      *all[i] = NULL;
    }
}

