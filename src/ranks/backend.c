/* The backend's functions.  Those that are NULL the gateway refuses before (gateway/ranks.c).  */

#include <stdlib.h>
#include <string.h>

#include "../core/order.h"
#include "../core/scan.h"
#include "../core/select.h"
#include "../core/timed.h"
#include "../cpu/cpu.h"
#include "ranks.h"

/* ---- pieces on a device -------------------------------------------------------------- */

gpr_status
gpr_piece_read (const gpr_piece *p, size_t first, size_t bytes, void *to)
{
  const char *from = (const char *) p->data + first;
  if (p->making)
    return p->making->read (p->making, first, bytes, to);
  if (gpr_on_device (p))
    return bytes > 0 ? p->home->download (to, from, bytes) : GPR_OK;
  memcpy (to, from, bytes);
  return GPR_OK;
}

gpr_status
gpr_piece_here (const gpr_piece *p, size_t bytes, const void **data)
{
  gpr_piece *kept = (gpr_piece *) (uintptr_t) p;

  *data = p->data;
  if (! gpr_on_device (p))
    return GPR_OK;
  gpr_status status = GPR_OK;
  if (! kept->here)
    {
      if (! (kept->here = malloc (bytes ? bytes : 1)))
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
      status = gpr_piece_read (p, 0, bytes, kept->here);
      if (status != GPR_OK)
        gpr_piece_forget (kept);
    }
  *data = kept->here;
  return status;
}

void
gpr_piece_forget (gpr_piece *p)
{
  free (p->here);
  p->here = NULL;
}

/* *x, a piece of so many columns, as one in host memory: on_host.  */
static gpr_status
bring (const void **x, int64_t columns, int64_t length, enum gpr_elem elem, gpr_piece *on_host)
{
  const gpr_piece *p = *x;
  gpr_world w;
  gpr_status status = gpr_world_check (&w);

  if (status != GPR_OK || ! p || ! gpr_on_device (p))
    return status;
  *on_host = (gpr_piece) { .starts = p->starts, .outer = p->outer };
  status = gpr_piece_here (p, (size_t) (columns * gpr_own_rows (p, &w, length)) * gpr_elem_bytes[elem], &on_host->data);
  *x = on_host;
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

/* ---- the functions --------------------------------------------------------------------- */

GPR_TIMED (reduce, gpr_reduction, gpr_ranks_reduce)

/* Of arrays that are divided alike and not broadcast; or of results, which each rank has.  */
static gpr_status
pair (gpr_pairing *p)
{
  if (! p->x_resident)
    return gpr_cpu_pair (p);

  const gpr_piece *x = p->x;
  gpr_piece *z = p->z, brought[2];
  gpr_world w;
  gpr_status status = gpr_world_check (&w);
  const int64_t count = status == GPR_OK ? gpr_own_rows (x, &w, p->dims[0]) : 0, one = 1;
  const size_t bytes = (size_t) (count * gpr_elem_bytes[p->elem]);
  gpr_pairing own = *p;

  if (status == GPR_OK)
    status = bring (&own.x, 1, p->dims[0], p->elem, &brought[0]);
  if (status == GPR_OK)
    status = bring (&own.y, 1, p->dims[0], p->elem, &brought[1]);
  if (status != GPR_OK)
    return status;
  void *data = malloc (bytes ? bytes : 1);
  if (! data)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", bytes);
  *z = (gpr_piece) { .data = data, .starts = x->starts, .outer = x->outer, .own = true };
  own.dims = &count;
  own.xs = own.ys = &one;
  own.x = ((const gpr_piece *) own.x)->data;
  own.y = ((const gpr_piece *) own.y)->data;
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
  if (piece)
    gpr_piece_forget (piece);
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
  const void *data = NULL;
  int64_t *starts = malloc ((w.size + 1) * sizeof *starts);
  for (int k = 0; starts && k <= w.size; k++)
    starts[k] = (int64_t) bytes / p->starts[w.size] * p->starts[k];
  status = starts ? gpr_piece_here (p, (size_t) (starts[w.rank + 1] - starts[w.rank]), &data)
           : gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes of host memory", w.size);
  if (status == GPR_OK)
    status = gpr_world_gather_slabs (data, starts, p->outer, host);
  free (starts);
  if (status != GPR_OK)
    gpr_world_leave (status);
  return status;
}

const gpr_backend gpr_ranks_backend = {
  .name = "ranks",
  .reduce = timed_reduce,
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
  .times = gpr_last_times
};
