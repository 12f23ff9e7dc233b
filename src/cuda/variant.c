/* One run of a ladder variant on the GPU: its plan becomes launches; with repeats they
   are timed.  */

#include <math.h>
#include <string.h>

#include "modules.h"
#include "problems.h"
#include "variant_plan.h"

/* ---- launches ------------------------------------------------------------------------- */

static gpr_status
launch (const gpr_variant_job *j, int64_t grid, ladder_reduce_args *a, bool cooperative)
{
  return gpr_variant_check (j, j->m->launch (j->v, j->r->op, j->r->type, j->r->block, (unsigned) grid, j->shared, a, j->s->work,
                                             cooperative), "running");
}

static gpr_status
launch_first (const gpr_variant_job *j, ladder_reduce_args *a)
{
  if (! j->v->first)
    return GPR_OK;
  return gpr_variant_check (j, j->m->launch (j->v->first, j->r->op, j->r->type, j->r->block, (unsigned) j->grid, 0, a, j->s->work,
                                             false), "running");
}

static gpr_status
launch_second_pass (const gpr_variant_job *j, void *partial, int64_t n, void *result, int64_t slice)
{
  ladder_second_pass_args a = { partial, n, result, slice };
  int block = 32;
  while (block < 1024 && block < n)
    block *= 2;
  return gpr_variant_check (j, j->m->launch (j->m->second_pass (), j->r->op, j->r->type, block, 1,
                                             (size_t) block * j->o->bytes, &a, j->s->work, false), "finishing");
}

/* Until one value is left, each level's results being the next one's input.  */
static gpr_status
launch_levels (gpr_variant_job *j, ladder_reduce_args a)
{
  for (int level = 0;; level++)
    {
      int64_t grid = gpr_over (a.n, j->covered);
      if (j->v->grid_stride)
        grid = gpr_min64 (grid, j->resident);
      a.partial = grid == 1 ? j->result : j->partials[level % 2];
      GPR_TRY (launch (j, grid, &a, false));
      if (grid == 1)
        return GPR_OK;
      a.x = a.partial;
      a.n = grid;
      a.scale = 1;              /* they are mapped already */
      a.bias = 0;
    }
}

static gpr_status
launch_slices (gpr_variant_job *j, ladder_reduce_args a)
{
  char *x = a.x;
  const bool many = j->slices > 1;

  for (int64_t i = 0; i < j->slices; i++)
    {
      a.x = x + i * j->slice * gpr_variant_bytes (j->r->type);
      a.n = gpr_min64 (j->slice, j->r->n - i * j->slice);
      a.result = many ? (char *) j->results + i * j->o->bytes : j->result;
      GPR_TRY (launch (j, j->v->grid_stride ? j->grid : gpr_over (a.n, j->covered), &a, true));
      if (i % 64 == 63 && gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  return many ? launch_second_pass (j, j->results, j->slices, j->result, j->arg ? j->slice : 0) : GPR_OK;
}

/* Of a library's row: an error that the GPU knows nothing of is the library's.  */
static gpr_status
check_library (const gpr_variant_job *j, int code)
{
  if (code == 0 || code == cudaErrorMemoryAllocation || cudaStreamSynchronize (j->s->work) != cudaSuccess)
    return gpr_variant_check (j, code, "running");
  (void) cudaGetLastError ();
  return gpr_cuda_fail (GPR_UNSUPPORTED, "the library of %s fails, or is not installed (%s)", j->v->name,
                        cudaGetErrorString ((cudaError_t) code));
}

/* A library's own code, which says first how much memory it needs.  */
static gpr_status
launch_library (gpr_variant_job *j, const void *args)
{
  if (! j->scratch)
    {
      size_t bytes = 0;
      GPR_TRY (check_library (j, j->v->host (j->v, j->r->op, j->r->type, args, NULL, &bytes, j->s->work)));
      GPR_TRY (gpr_cuda_take (j->s, &j->scratch, bytes > 0 ? bytes : 1));
      j->scratch_bytes = bytes;
    }
  return check_library (j, j->v->host (j->v, j->r->op, j->r->type, args, j->scratch, &j->scratch_bytes, j->s->work));
}

static gpr_status
launch_histogram (gpr_variant_job *j, const void *x)
{
  const gpr_variant_run *r = j->r;
  ladder_histogram_args a = { x, r->n, j->results, r->bins, j->edges, r->edges[0], 0 };

  a.scale = r->bins / (r->edges[r->bins] - r->edges[0]);
  if (! isfinite (a.scale))
    a.scale = 0;
  if (j->v->host)
    return launch_library (j, &a);
  return gpr_variant_check (j, j->m->launch (j->v, r->op, r->type, r->block, (unsigned) j->grid, j->shared, &a, j->s->work, false), "running");
}

/* All kernels of one run on the data at x.  */
static gpr_status
launch_all (gpr_variant_job *j, const void *x)
{
  if (! j->o)
    return launch_histogram (j, x);

  ladder_reduce_args a = { (void *) x, j->r->n, j->partials[0], j->result, j->ticket, j->r->finish,
                           j->r->unmapped ? 1 : j->v->scale, j->r->unmapped ? 0 : j->v->bias };
  if (j->v->host)
    return launch_library (j, &a);
  GPR_TRY (launch_first (j, &a));
  switch (j->r->finish)
    {
    case LADDER_TWO_PASS:
      GPR_TRY (launch (j, j->grid, &a, false));
      return launch_second_pass (j, j->partials[0], j->grid, j->result, 0);
    case LADDER_MULTI_LEVEL:
      return launch_levels (j, a);
    case LADDER_GRID_SYNC:
      return launch_slices (j, a);
    default:
      return launch (j, j->grid, &a, false);
    }
}

/* ---- one run ---------------------------------------------------------------------------- */

/* What must hold before the kernels start: the result is the identity, the ticket
   and the counts are 0.  */
static gpr_status
prepare (gpr_variant_job *j)
{
  if (! j->o)
    GPR_CUDA_TRY (cudaMemsetAsync (j->results, 0, j->r->bins * sizeof *j->r->counts, j->s->work), "clearing memory");
  else
    GPR_CUDA_TRY (cudaMemcpyAsync (j->result, j->s->mail + GPR_IDENTITY_AT, j->o->bytes, cudaMemcpyHostToDevice, j->s->work),
                  "copying to the GPU");
  GPR_CUDA_TRY (cudaMemsetAsync (j->ticket, 0, sizeof *j->ticket, j->s->work), "clearing memory");
  return GPR_OK;
}

static gpr_status
copy_on_device (const gpr_variant_job *j, void *to, const void *from, size_t bytes)
{
  GPR_CUDA_TRY (cudaMemcpyAsync (to, from, bytes, cudaMemcpyDeviceToDevice, j->s->work), "copying on the GPU");
  return GPR_OK;
}

/* Every copy of the ring anew from x, which doubles what is there.  */
static gpr_status
fill_ring (const gpr_variant_job *j)
{
  size_t whole = j->copies * j->stride;

  GPR_CUDA_TRY (cudaMemsetAsync (j->ring, 0, j->stride, j->s->work), "clearing memory");
  GPR_TRY (copy_on_device (j, j->ring, j->x, j->r->n * gpr_variant_bytes (j->r->type)));
  for (size_t there = j->stride; there < whole; there *= 2)
    GPR_TRY (copy_on_device (j, (char *) j->ring + there, j->ring, there < whole - there ? there : whole - there));
  return GPR_OK;
}

static gpr_status
run_at (gpr_variant_job *j, const void *x, bool timed, double *ms)
{
  float taken = 0;

  GPR_TRY (prepare (j));
  if (timed)
    GPR_TRY (gpr_cuda_delay (j->s, j->m));
  GPR_CUDA_TRY (cudaEventRecord (j->begin, j->s->work), "timing a kernel");
  GPR_TRY (launch_all (j, x));
  GPR_CUDA_TRY (cudaEventRecord (j->end, j->s->work), "timing a kernel");
  if (j->o)
    GPR_CUDA_TRY (cudaMemcpyAsync (j->s->mail + GPR_RESULT_AT, j->result, j->o->bytes, cudaMemcpyDeviceToHost, j->s->work),
                  "copying from the GPU");
  GPR_CUDA_TRY (cudaEventRecord (j->done, j->s->work), "timing a kernel");
  GPR_TRY (gpr_cuda_wait (j->done));
  GPR_CUDA_TRY (cudaEventElapsedTime (&taken, j->begin, j->end), "timing a kernel");
  *ms = taken;
  return GPR_OK;
}

/* A key has the index; the value is there.  */
static gpr_status
fetch_packed (gpr_variant_job *j)
{
  gpr_variant_run *r = j->r;
  const size_t bytes = gpr_variant_bytes (r->type);
  int64_t at = (int64_t) ladder_key_index (*(const uint64_t *) (j->s->mail + GPR_RESULT_AT));
  gpr_cuda_view value = gpr_cuda_bytes (r->value, bytes);

  if (at >= r->n)
    return gpr_cuda_fail (GPR_DEVICE_LOST, "%s gave index %lld of %lld", j->v->name, (long long) at + 1, (long long) r->n);
  if (r->index)
    *r->index = at;
  if (r->x_resident)
    return gpr_cuda_download (j->s, &value, (const char *) r->x + at * bytes);
  memcpy (r->value, (const char *) r->x + at * bytes, bytes);
  return GPR_OK;
}

static gpr_status
fetch (gpr_variant_job *j)
{
  gpr_variant_run *r = j->r;

  if (! j->o)
    {
      gpr_cuda_view counts = gpr_cuda_bytes (r->counts, r->bins * sizeof *r->counts);
      return gpr_cuda_download (j->s, &counts, j->results);
    }
  if (j->v->packed)
    return fetch_packed (j);
  j->o->end (j->s->mail + GPR_RESULT_AT, r->value, r->index);
  return GPR_OK;
}

static gpr_status
upload (gpr_variant_job *j)
{
  gpr_variant_run *r = j->r;
  gpr_cuda_view x = gpr_cuda_bytes (r->x, r->n * gpr_variant_bytes (r->type));
  return r->x_resident ? GPR_OK : gpr_cuda_upload (j->s, j->own_x, &x);
}

/* The kernels alone, on one copy after another.  */
static gpr_status
time_kernels (gpr_variant_job *j)
{
  double ms;

  for (int i = -1; i < j->r->repeats; i++)      /* the first warms up */
    {
      int64_t at = j->copies > 0 ? (i + 1) % j->copies : 0;
      if (j->ring && at == 0 && (i < 0 || j->v->in_place))
        GPR_TRY (fill_ring (j));
      GPR_TRY (run_at (j, j->ring ? (char *) j->ring + at * j->stride : j->x, true, &ms));
      if (i >= 0 && j->r->kernel_ms)
        j->r->kernel_ms[i] = ms;
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  return GPR_OK;
}

/* From where the data is to the result on the host, so often as asked for, at
   least once.  */
static gpr_status
run_whole (gpr_variant_job *j)
{
  const bool on_copy = j->v->in_place && j->r->x_resident;
  double ms = 0;

  for (int i = 0; i == 0 || i < j->r->repeats; i++)
    {
      if (on_copy)
        {
          GPR_TRY (copy_on_device (j, j->ring, j->x, j->r->n * gpr_variant_bytes (j->r->type)));
          GPR_CUDA_TRY (cudaStreamSynchronize (j->s->work), "copying on the GPU");
        }
      double start = gpr_cuda_now_ms ();
      GPR_TRY (upload (j));
      GPR_TRY (run_at (j, on_copy ? j->ring : j->x, false, &ms));
      GPR_TRY (fetch (j));
      if (i < j->r->repeats && j->r->total_ms)
        j->r->total_ms[i] = gpr_cuda_now_ms () - start;
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  j->s->kernel_ms = ms;
  return GPR_OK;
}

static gpr_status
run (gpr_variant_job *j)
{
  GPR_TRY (gpr_variant_plan (j));
  if (j->v->packed)
    memset (j->s->mail + GPR_IDENTITY_AT, 0, j->o->bytes);
  else if (j->o)
    j->o->start (j->s->mail + GPR_IDENTITY_AT);
  if (j->r->repeats > 0)
    {
      GPR_TRY (upload (j));
      GPR_TRY (time_kernels (j));
    }
  return run_whole (j);
}

gpr_status
gpr_cuda_variant (gpr_cuda_state *s, gpr_variant_run *r, const gpr_ladder_module *m)
{
  gpr_variant_run own = *r;
  gpr_variant_job j = { .r = &own, .s = s, .m = m, .v = gpr_variant_find (m, r), .slices = 1 };

  if (! j.v)
    return gpr_cuda_fail (GPR_BAD_INPUT, "no variant %s in the module of CUDA kernels", r->name);
  own.finish = r->finish < 0 ? j.v->default_finish : r->finish;
  own.block = r->block < 0 ? j.v->default_block : r->block;
  j.arg = r->op == LADDER_ARGMAX || r->op == LADDER_ARGMIN;
  j.o = gpr_variant_operator_of (r->op, r->type);
  if (r->n < 1)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s needs at least one element", r->name);
  GPR_TRY (gpr_cuda_use_module (s, m));
  gpr_status status = run (&j);
  gpr_cuda_finish (j.s);
  gpr_variant_release (&j);
  return status;
}
