/* Cumulative sums, products and extremes: the blocks' totals, what goes before each of
   them (on the host: there are at most 65,536 a column), and then every row.  As many
   outers at once as fit in memory.  */

#include <stdlib.h>
#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../../kernels/engine/engine.h"
#include "../core/scan.h"
#include "../../kernels/engine/scan.h"

GPR_SCANS (GPR_SCAN_DEFINE_KIND)
#define ROW(id, op, T) GPR_SCAN_KIND (id, op, T),
static const gpr_scan_kind kinds[] = { GPR_SCANS (ROW) };

typedef struct {
  const gpr_scanning *p;
  const gpr_scan_kind *kind;
  const void *kernel;
  gpr_cuda_state *s;
  int64_t rows, blocks, outers;
  size_t elem_bytes;
  void *x, *y, *index, *totals, *before;        /* on the device; before: totals on the host */
  bool *doubtful;               /* outers of the piece at hand; with before */
} job;

static gpr_status
allocate (job *j)
{
  const gpr_scanning *p = j->p;
  const size_t elements = (size_t) p->inner * p->length * j->outers, units = (size_t) p->inner * j->blocks * j->outers;

  if (! p->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->x, elements * j->elem_bytes));
  if (! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->y, elements * j->elem_bytes));
  if (p->index && ! p->out_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->index, elements * sizeof (double)));
  if (j->blocks > 1)
    {
      GPR_TRY (gpr_cuda_take (j->s, &j->totals, units * j->kind->acc_bytes));
      if (! (j->before = malloc (units * j->kind->acc_bytes + j->outers)))
        return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", units * j->kind->acc_bytes + j->outers);
      j->doubtful = (bool *) j->before + units * j->kind->acc_bytes;
    }
  return GPR_OK;
}

static void
release (job *j)
{
  gpr_cuda_give (j->x);
  gpr_cuda_give (j->y);
  gpr_cuda_give (j->index);
  gpr_cuda_give (j->totals);
  free (j->before);
  j->x = j->y = j->index = j->totals = j->before = NULL;
}

static gpr_status
launch (job *j, gpr_scan_args *a)
{
  gpr_cuda_slot *slot;
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (gpr_cuda_launch (j->s, j->kernel, gpr_over (a->inner * a->blocks * a->outer, GPR_REDUCE_THREADS), GPR_REDUCE_THREADS, 0, a));
  return gpr_cuda_end_work (j->s, slot);
}

/* Outers first … of the problem.  */
static gpr_status
run (job *j, int64_t first, int64_t outers)
{
  const gpr_scanning *p = j->p;
  const int64_t slab = p->inner * p->length, at = first * slab;
  const size_t elements = (size_t) slab * outers, totals = (size_t) p->inner * j->blocks * outers * j->kind->acc_bytes;
  const char *x = (const char *) p->x + at * j->elem_bytes;
  char *y = (char *) p->y + at * j->elem_bytes;
  gpr_scan_args a = { .x = p->x_resident ? x : j->x, .inner = p->inner, .length = p->length, .outer = outers, .rows = j->rows, .blocks = j->blocks,
                      .totals = j->totals };

  if (! p->x_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (x, elements * j->elem_bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->x, &v));
    }
  if (j->blocks > 1)
    {
      gpr_cuda_view v = gpr_cuda_bytes (j->before, totals);
      /* Accumulators have padding, which is copied too.  */
      GPR_CUDA_TRY (cudaMemsetAsync (j->totals, 0, totals, j->s->work), "clearing totals");
      GPR_TRY (launch (j, &a));
      GPR_TRY (gpr_cuda_download (j->s, &v, j->totals));
      for (int64_t o = 0; o < outers; o++)
        j->doubtful[o] = gpr_scan_totals (j->kind, (char *) j->before + o * (totals / outers), p->inner, j->blocks);
      GPR_TRY (gpr_cuda_upload (j->s, j->totals, &v));
    }
  a.y = p->out_resident ? y : j->y;
  if (p->index)
    a.index = p->out_resident ? p->index + at : j->index;
  GPR_TRY (launch (j, &a));
  for (int64_t o = 0; o < outers && j->blocks > 1; o++)
    if (j->doubtful[o])
      {
        gpr_scan_args whole = a;        /* again, as one block */
        whole.x = (const char *) a.x + o * slab * j->elem_bytes;
        whole.y = (char *) a.y + o * slab * j->elem_bytes;
        whole.index = a.index ? a.index + o * slab : NULL;
        whole.outer = whole.blocks = 1;
        whole.rows = p->length;
        GPR_TRY (launch (j, &whole));
      }
  if (! p->out_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (y, elements * j->elem_bytes);
      GPR_TRY (gpr_cuda_download (j->s, &v, j->y));
      if (p->index)
        {
          v = gpr_cuda_bytes (p->index + at, elements * sizeof (double));
          GPR_TRY (gpr_cuda_download (j->s, &v, j->index));
        }
    }
  return gpr_cuda_drain (j->s);
}

static gpr_status
scan (job *j)
{
  gpr_status status;

  for (;;)
    {
      status = allocate (j);
      if (status != GPR_OUT_OF_MEMORY || j->outers == 1)
        break;
      release (j);
      j->outers = gpr_over (j->outers, 2);
    }
  for (int64_t o = 0; o < j->p->outer && status == GPR_OK; o += j->outers)
    {
      status = run (j, o, gpr_min64 (j->outers, j->p->outer - o));
      if (status == GPR_OK && gpr_cuda_interrupted ())
        status = gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  gpr_cuda_finish (j->s);       /* before its memory goes */
  release (j);
  return status;
}

gpr_status
gpr_cuda_scan (gpr_cuda_state *s, gpr_scanning *p)
{
  job j = { .p = p, .s = s, .kernel = gpr_engine_scan (p->op, p->elem), .rows = gpr_scan_block (p->length), .outers = p->outer,
            .elem_bytes = gpr_bytes_of (p->elem) };

  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].op == p->op && kinds[k].elem == p->elem)
      j.kind = &kinds[k];
  if (! j.kind || ! j.kernel)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "no cumulative operator of that class");
  j.blocks = gpr_over (p->length, j.rows);
  return scan (&j);
}
