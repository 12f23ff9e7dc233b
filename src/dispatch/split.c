#include <stdlib.h>

#include "../cpu/cpu.h"
#include "cuda_module.h"
#include "split.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* ---- the store ------------------------------------------------------------------ */

/* The units taken are subtracted from left first, so that front and back cannot cross.  */
static int64_t
take (gpr_share *s, bool from_back, int64_t most, int64_t *first)
{
  int64_t left = s->left, count;
  do
    {
      count = left < most ? left : most;
      if (count <= 0)
        return 0;
    }
  while (! atomic_compare_exchange_weak (&s->left, &left, left - count));
  *first = from_back ? (s->back -= count) : (s->front += count) - count;
  return count;
}

bool
gpr_splits (const gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const int64_t few = 256;              /* bytes of input to one of results or accumulators, at least */
  gpr_tree t = gpr_tree_make (f->acc_bytes, r->inner, r->length, r->outer);
  int64_t each = t.parts > 1 ? f->acc_bytes : f->value_bytes + (r->index ? (int64_t) sizeof *r->index : 0);
  int64_t rows = t.rows < r->length ? t.rows : r->length;

  /* Those that stop at the first elements that decide need no help.  */
  return ! r->exact && t.tiles == 1 && t.parts * r->outer > 1 && ! r->x_resident && ! r->out_resident
         && ! (f->traits & (GPR_DECIDED_BY_0 | GPR_DECIDED_BY_1)) && rows * f->elem_bytes >= few * each;
}

/* ---- the reduction ---------------------------------------------------------------------- */

gpr_status
gpr_share_open (gpr_share *s, gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  gpr_tree t = gpr_tree_make (f->acc_bytes, r->inner, r->length, r->outer);
  const int64_t units = t.parts * r->outer, rows = t.rows < r->length ? t.rows : r->length;
  size_t bytes = t.parts > 1 ? (size_t) (units * r->inner) * f->acc_bytes : 0;

  *s = (gpr_share) { .r = r, .tree = t, .unit_bytes = rows * r->inner * f->elem_bytes * (r->y ? 2 : 1), .acc_bytes = f->acc_bytes, .take = take,
                     .left = units, .back = units };
  if (bytes > 0 && ! (s->partials = malloc (bytes)))
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of scratch memory for %lld parts", bytes, (long long) units);
  return GPR_OK;
}

void
gpr_share_close (gpr_share *s, gpr_status status)
{
  if (status == GPR_OK && s->partials)
    gpr_cpu_finish_shares (s);
  s->r->needs_fixup = s->needs_fixup;
  free (s->partials);
}

gpr_status
gpr_split_reduce (const gpr_backend *device, gpr_reduction *r)
{
  const int threads = gpr_cpu_allowed_threads ();
  gpr_share s;

  if (! device || ! device->share || threads < 2 || ! gpr_splits (r))
    return gpr_cpu_backend.reduce (r);
  gpr_status status = gpr_share_open (&s, r);
  if (status != GPR_OK)
    return status;

  /* Messages are kept for each thread.  So the calling thread works with the device, which
     may fail; the others can only be interrupted.  */
  gpr_cpu_note_pool ();
  #pragma omp parallel num_threads (threads)
  {
#ifdef _OPENMP
    bool first = omp_get_thread_num () == 0;
#else
    bool first = true;
#endif
    if (first)
      {
        status = device->share (&s);
        /* A device that had no memory for a single unit is no failure.  */
        if (status == GPR_OUT_OF_MEMORY && s.back == s.tree.parts * r->outer)
          status = GPR_OK;
        if (status != GPR_OK)
          s.left = 0;
      }
    if (gpr_cpu_share (&s) != GPR_OK)
      {
        s.stopped = true;
        s.left = 0;
      }
  }
  if (status == GPR_OK && s.stopped)
    status = gpr_fail (GPR_INTERRUPTED, "interrupted");
  gpr_share_close (&s, status);
  return status;
}

/* ---- the backend ---------------------------------------------------------------------- */

static gpr_status
split_reduce (gpr_reduction *r)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  return gpr_split_reduce (cuda ? &cuda->backend : NULL, r);
}

static gpr_status
split_pair (gpr_pairing *p)
{
  return gpr_cpu_backend.pair (p);
}

static void
split_times (double *transfer_ms, double *kernel_ms)
{
  const gpr_cuda_api *cuda = gpr_cuda ();
  if (cuda)
    cuda->backend.times (transfer_ms, kernel_ms);
  else
    gpr_cpu_backend.times (transfer_ms, kernel_ms);
}

const gpr_backend gpr_split_backend = { .name = "cuda+cpu", .reduce = split_reduce, .pair = split_pair, .times = split_times };
