/* The backend's functions.  Those that are NULL the gateway refuses before (gateway/ranks.c).  */

#include <stdlib.h>

#include "../core/system.h"
#include "../cpu/cpu.h"
#include "ranks.h"

static double last_ms;

static gpr_status
reduce (gpr_reduction *r)
{
  const double start = gpr_now_ms ();
  gpr_status status = gpr_ranks_reduce (r);
  last_ms = gpr_now_ms () - start;
  return status;
}

/* Of arrays that are divided alike and not broadcast; or of results, which each rank has.  */
static gpr_status
pair (gpr_pairing *p)
{
  if (! p->x_resident)
    return gpr_cpu_pair (p);

  const gpr_piece *x = p->x, *y = p->y;
  gpr_piece *z = p->z;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);
  const int64_t count = status == GPR_OK ? gpr_own_rows (x, &w, p->dims[0]) : 0, one = 1;
  const size_t bytes = (size_t) (count * gpr_elem_bytes[p->elem]);
  gpr_pairing own = *p;

  if (status != GPR_OK)
    return status;
  void *data = malloc (bytes ? bytes : 1);
  if (! data)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  *z = (gpr_piece) { data, x->starts, true };
  own.dims = &count;
  own.xs = own.ys = &one;
  own.x = x->data;
  own.y = y->data;
  own.z = data;
  own.x_resident = own.y_resident = own.out_resident = false;
  return count > 0 ? gpr_cpu_pair (&own) : GPR_OK;
}

/* Its elements come with what computes them.  */
static gpr_status
allocate (void **p, size_t bytes)
{
  (void) bytes;
  *p = calloc (1, sizeof (gpr_piece));
  return *p ? GPR_OK : gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", sizeof (gpr_piece));
}

static void
release (void *p)
{
  gpr_piece *piece = p;
  if (piece && piece->own)
    free ((void *) (uintptr_t) piece->data);
  free (piece);
}

/* The whole array, on every rank.  */
static gpr_status
download (void *host, const void *resident, size_t bytes)
{
  const gpr_piece *p = resident;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);
  if (status != GPR_OK)
    return status;
  int64_t *starts = malloc ((w.size + 1) * sizeof *starts);
  for (int k = 0; starts && k <= w.size; k++)
    starts[k] = (int64_t) bytes / p->starts[w.size] * p->starts[k];
  status = starts ? gpr_world_gather (p->data, starts, host) : gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", w.size);
  free (starts);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

static void
times (double *transfer_ms, double *kernel_ms)
{
  *transfer_ms = 0;
  *kernel_ms = last_ms;
}

const gpr_backend gpr_ranks_backend = {
  .name = "ranks",
  .reduce = reduce,
  .exact = gpr_ranks_exact,
  .count = gpr_ranks_count,
  .pair = pair,
  .scan = gpr_ranks_scan,
  .scatter = gpr_ranks_scatter,
  .order = gpr_ranks_order,
  .select = gpr_ranks_select,
  .rank = gpr_ranks_rank,
  .allocate = allocate,
  .release = release,
  .room = gpr_system_free_memory,
  .download = download,
  .column = gpr_ranks_column,
  .times = times
};
