/* One run of a ladder variant on the GPU: what its descriptor says about geometry,
   shared memory and finish becomes launches; with repeats they are timed.

   The kernels are in a module of their own, with a CUDA runtime of its own; both
   runtimes work in the device's one context, so that streams and memory are the
   same to both.  */

#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"
#include "../../kernels/ladder/check.h"

/* ---- operators ------------------------------------------------------------------- */

GPR_INSTANCES_SUM (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_PROD (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_EXTREME (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_ARG (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_LADDER (GPR_DEFINE_INSTANCE)

/* Bytes of a value of Op::T; the identity; the result of one.  */
typedef struct {
  int bytes;
  void (*start) (void *a);
  void (*end) (const void *a, void *value, int64_t *index);
} operator;

#define DEFINE_ENDS(op, type, id) \
  static void id##_start_at (void *a) { id##_a v = id##_init (); memcpy (a, &v, sizeof v); } \
  static void id##_end_at (const void *a, void *value, int64_t *index) \
  { \
    id##_a v; \
    id##_y y; \
    i64 k = 0; \
    memcpy (&v, a, sizeof v); \
    (void) id##_finish (v, 0, &y, &k); \
    memcpy (value, &y, sizeof y); \
    if (index) \
      *index = k; \
  }
#define OPERATOR_ROW(op, type, id) [op][type] = { sizeof (id##_a), id##_start_at, id##_end_at },
#define ON_EVERY_TYPE(F, op, f64_id, f32_id, i32_id) \
  F (op, LADDER_DOUBLE, f64_id) F (op, LADDER_SINGLE, f32_id) F (op, LADDER_INT32, i32_id)
#define OPERATORS(F) \
  ON_EVERY_TYPE (F, LADDER_SUM, sum_f64, sum_f32, wrapsum_i32) \
  ON_EVERY_TYPE (F, LADDER_PROD, prod_f64, prod_f32, wrapprod_i32) \
  ON_EVERY_TYPE (F, LADDER_MAX, max_f64, max_f32, max_i32) \
  ON_EVERY_TYPE (F, LADDER_MIN, min_f64, min_f32, min_i32) \
  ON_EVERY_TYPE (F, LADDER_ARGMAX, argmax_f64, argmax_f32, argmax_i32) \
  ON_EVERY_TYPE (F, LADDER_ARGMIN, argmin_f64, argmin_f32, argmin_i32)

OPERATORS (DEFINE_ENDS)
static const operator operators[LADDER_OPS][LADDER_TYPES] = { OPERATORS (OPERATOR_ROW) };

static int
bytes_of (int type)
{
  static const int bytes[LADDER_TYPES] = { sizeof (double), sizeof (float), sizeof (int32_t), 1 };
  return bytes[type];
}

/* ---- modules in use ---------------------------------------------------------------- */

static struct {
  const gpr_ladder_module *module;
  bool on[GPR_CUDA_DEVICES];
} used[256];
enum { MODULES = sizeof used / sizeof *used };

/* The module works on the current device from now on.  */
static gpr_status
use_module (const gpr_ladder_module *m)
{
  int device = 0, at = 0;

  GPR_CUDA_TRY (cudaGetDevice (&device), "choosing the GPU");
  while (at < MODULES && used[at].module && used[at].module != m)
    at++;
  if (at == MODULES)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "at most %d modules of variants run in one process; start Octave again", MODULES);
  used[at].module = m;
  used[at].on[device] = true;
  GPR_CUDA_TRY ((cudaError_t) m->use (device), "choosing the GPU");
  return GPR_OK;
}

void
gpr_cuda_reset_modules (int device)
{
  for (int i = 0; i < MODULES && used[i].module; i++)
    if (used[i].on[device])
      {
        used[i].on[device] = false;
        used[i].module->reset (device);
      }
}

/* ---- a job -------------------------------------------------------------------------- */

enum { IDENTITY_AT = 0, RESULT_AT = 64 };       /* in the mail */

typedef struct {
  gpr_variant_run *r;
  const gpr_ladder_module *m;
  const ladder_variant *v;
  const operator *o;            /* NULL: a histogram */
  gpr_cuda_state *s;
  bool arg;

  /* The plan of a launch on slice elements (all, where one grid does).  */
  size_t shared;
  int64_t covered;              /* elements a block, without a loop */
  int64_t resident;             /* blocks at once, where it matters */
  int64_t slice, slices, grid;

  /* On the device.  */
  const void *x;                /* as given; own_x where it came from the host */
  void *own_x, *ring;           /* copies to work on, stride bytes apart */
  int64_t copies;
  size_t stride;
  void *partials[2], *results, *result, *scratch, *edges;       /* result: the last of results, one a slice */
  unsigned *ticket;
  size_t scratch_bytes;
  cudaEvent_t begin, end, done;
} job;

static gpr_status
check (const job *j, int code, const char *doing)
{
  char what[128];
  snprintf (what, sizeof what, "%s %s", doing, j->v->name);
  return code == 0 ? GPR_OK : gpr_cuda_error ((cudaError_t) code, what);
}

/* A library may have a row in every family: the one with the operator, else any of
   the name.  */
static const ladder_variant *
find_variant (const gpr_ladder_module *m, const gpr_variant_run *r)
{
  const ladder_variant *found = NULL;
  for (int i = 0; i < m->count (); i++)
    {
      const ladder_variant *v = m->at (i);
      if (ladder_is_called (v, r->name) && (! found || ladder_has (v, r->op, r->type)))
        found = v;
    }
  return found;
}

static gpr_status
check_variant (const job *j)
{
  const gpr_variant_run *r = j->r;
  const ladder_variant *v = j->v;
  char why[512];
  gpr_device d;
  int device = 0;

  if (v->fault)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s has a fault on purpose and runs in the simulator only (\"device\", \"sim\")", v->name);
  if (! ladder_allows (v, r->op, r->type, r->finish, r->block, why, sizeof why))
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s", why);
  if (j->arg && r->finish == LADDER_MULTI_LEVEL && ! v->host)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s: a level's results are values with places, which the kernel does not read: "
                          "no multi_level", v->name);
  if (v->packed && (r->n > UINT32_MAX || bytes_of (r->type) != 4))
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s packs value and place in 64 bits: single or int32, fewer than 2^32 elements", v->name);
  GPR_CUDA_TRY (cudaGetDevice (&device), "choosing the GPU");
  GPR_TRY (gpr_cuda_describe (device + 1, &d));
  if (d.major < v->needs_major)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "%s needs compute capability %d.0; GPU %d (%s) has %d.%d", v->name, v->needs_major,
                          device + 1, d.name, d.major, d.minor);
  return GPR_OK;
}

/* ---- plan --------------------------------------------------------------------------- */

static gpr_status
plan_shared (job *j)
{
  const ladder_variant *v = j->v;
  const gpr_variant_run *r = j->r;
  int64_t threads = v->one_thread ? 1 : r->block, warps = (threads + 31) / 32, bytes;

  if (j->o)
    {
      int64_t values = v->shared_per_thread * threads + v->shared_per_warp * warps + v->shared_fixed;
      if (r->finish == LADDER_LAST_BLOCK || r->finish == LADDER_GRID_SYNC)
        values = gpr_max64 (values, threads);   /* reduce_partials */
      bytes = values * j->o->bytes;
    }
  else
    bytes = 4 * ((int64_t) v->shared_per_bin * r->bins + (int64_t) v->shared_per_warp_bin * warps * r->bins);
  if (bytes > (int64_t) j->s->shared_bytes)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s needs %lld bytes of shared memory a block for this; this GPU has %zu%s", v->name,
                          (long long) bytes, j->s->shared_bytes, j->o ? "" : ": take fewer bins or smaller blocks");
  j->shared = bytes;
  return GPR_OK;
}

static gpr_status
plan_grid (job *j)
{
  const ladder_variant *v = j->v;
  const gpr_variant_run *r = j->r;
  bool synced = j->o && r->finish == LADDER_GRID_SYNC;

  j->slice = r->n;
  j->slices = 1;
  j->covered = v->one_thread ? r->n : (int64_t) r->block * v->per_thread;
  j->grid = gpr_over (r->n, j->covered);
  if (v->grid_stride || synced)
    {
      int resident = j->m->resident_blocks (v, r->op, r->type, r->block, j->shared);
      if (resident <= 0)
        return check (j, resident < 0 ? - resident : (int) cudaErrorLaunchOutOfResources, "planning");
      j->resident = resident;
      if (v->grid_stride)
        j->grid = gpr_min64 (j->grid, j->resident);
      else if (j->grid > j->resident)
        {
          j->grid = j->resident;
          j->slice = j->grid * j->covered;
          j->slices = gpr_over (r->n, j->slice);
        }
    }
  if (j->grid > INT_MAX)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s with blocks of %d threads needs %lld blocks; a grid has at most %d", v->name,
                          r->block, (long long) j->grid, INT_MAX);
  return GPR_OK;
}

/* Copies of x.  For a kernel that works in place: one.  Timed: so many that all of
   them are twice the L2 cache, and none is still there when its turn comes again.  */
static gpr_status
plan_ring (job *j)
{
  size_t bytes = j->r->n * bytes_of (j->r->type);
  int device = 0, l2 = 0;

  GPR_CUDA_TRY (cudaGetDevice (&device), "choosing the GPU");
  GPR_CUDA_TRY (cudaDeviceGetAttribute (&l2, cudaDevAttrL2CacheSize, device), "reading the GPU's properties");
  j->stride = (bytes + 255) / 256 * 256;
  if (j->r->repeats > 0 && bytes < 2 * (size_t) l2)
    j->copies = 1 + 2 * (size_t) l2 / j->stride;
  else if (j->v->in_place && (j->r->x_resident || j->r->repeats > 0))
    j->copies = 1;
  return GPR_OK;
}

static gpr_status
allocate (job *j)
{
  gpr_variant_run *r = j->r;
  size_t value = j->o ? j->o->bytes : 8;
  size_t results = j->o ? (j->slices + 1) * value : r->bins * sizeof *r->counts;

  if (! r->x_resident)
    GPR_TRY (gpr_cuda_take (&j->own_x, r->n * bytes_of (r->type)));
  j->x = r->x_resident ? r->x : j->own_x;
  if (j->copies > 0)
    GPR_TRY (gpr_cuda_take (&j->ring, j->copies * j->stride));
  results = (results + 15) / 16 * 16;
  GPR_TRY (gpr_cuda_take (&j->results, results + 16));
  j->ticket = (unsigned *) ((char *) j->results + results);
  j->result = (char *) j->results + (j->o ? j->slices * value : 0);
  if (j->o && ! j->v->host)
    {
      GPR_TRY (gpr_cuda_take (&j->partials[0], j->grid * value));
      if (r->finish == LADDER_MULTI_LEVEL)
        GPR_TRY (gpr_cuda_take (&j->partials[1], gpr_over (j->grid, j->covered) * value));
    }
  if (! j->o)
    {
      gpr_cuda_view edges = gpr_cuda_bytes (r->edges, (r->bins + 1) * sizeof *r->edges);
      GPR_TRY (gpr_cuda_take (&j->edges, edges.segment));
      GPR_TRY (gpr_cuda_upload (j->s, j->edges, &edges));
    }
  GPR_CUDA_TRY (cudaEventCreate (&j->begin), "making an event");
  GPR_CUDA_TRY (cudaEventCreate (&j->end), "making an event");
  GPR_CUDA_TRY (cudaEventCreateWithFlags (&j->done, cudaEventDisableTiming), "making an event");
  return GPR_OK;
}

static void
release (job *j)
{
  void *blocks[] = { j->own_x, j->ring, j->partials[0], j->partials[1], j->results, j->scratch, j->edges };
  cudaEvent_t events[] = { j->begin, j->end, j->done };

  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    gpr_cuda_give (blocks[i]);
  for (int i = 0; i < 3; i++)
    if (events[i])
      (void) cudaEventDestroy (events[i]);
}

/* ---- launches ------------------------------------------------------------------------- */

static gpr_status
launch (const job *j, int64_t grid, ladder_reduce_args *a, bool cooperative)
{
  return check (j, j->m->launch (j->v, j->r->op, j->r->type, j->r->block, (unsigned) grid, j->shared, a, j->s->work, cooperative),
                "running");
}

static gpr_status
launch_second_pass (const job *j, void *partial, int64_t n, void *result, int64_t slice)
{
  ladder_second_pass_args a = { partial, n, result, slice };
  int block = 32;
  while (block < 1024 && block < n)
    block *= 2;
  return check (j, j->m->launch (j->m->second_pass (), j->r->op, j->r->type, block, 1, (size_t) block * j->o->bytes, &a,
                                 j->s->work, false), "finishing");
}

/* Until one value is left, each level's results being the next one's input.  */
static gpr_status
launch_levels (job *j, ladder_reduce_args a)
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
    }
}

static gpr_status
launch_slices (job *j, ladder_reduce_args a)
{
  char *x = a.x;
  const bool many = j->slices > 1;

  for (int64_t i = 0; i < j->slices; i++)
    {
      a.x = x + i * j->slice * bytes_of (j->r->type);
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
check_library (const job *j, int code)
{
  if (code == 0 || code == cudaErrorMemoryAllocation || cudaStreamSynchronize (j->s->work) != cudaSuccess)
    return check (j, code, "running");
  (void) cudaGetLastError ();
  return gpr_cuda_fail (GPR_UNSUPPORTED, "the library of %s fails, or is not installed (%s)", j->v->name,
                        cudaGetErrorString ((cudaError_t) code));
}

/* A library's own code, which says first how much memory it needs.  */
static gpr_status
launch_library (job *j, const void *args)
{
  if (! j->scratch)
    {
      size_t bytes = 0;
      GPR_TRY (check_library (j, j->v->host (j->r->op, j->r->type, args, NULL, &bytes, j->s->work)));
      GPR_TRY (gpr_cuda_take (&j->scratch, bytes > 0 ? bytes : 1));
      j->scratch_bytes = bytes;
    }
  return check_library (j, j->v->host (j->r->op, j->r->type, args, j->scratch, &j->scratch_bytes, j->s->work));
}

static gpr_status
launch_histogram (job *j, const void *x)
{
  const gpr_variant_run *r = j->r;
  ladder_histogram_args a = { x, r->n, j->results, r->bins, j->edges, r->edges[0], 0 };

  a.scale = r->bins / (r->edges[r->bins] - r->edges[0]);
  if (! isfinite (a.scale))
    a.scale = 0;
  if (j->v->host)
    return launch_library (j, &a);
  return check (j, j->m->launch (j->v, r->op, r->type, r->block, (unsigned) j->grid, j->shared, &a, j->s->work, false), "running");
}

/* All kernels of one run on the data at x.  */
static gpr_status
launch_all (job *j, const void *x)
{
  if (! j->o)
    return launch_histogram (j, x);

  ladder_reduce_args a = { (void *) x, j->r->n, j->partials[0], j->result, j->ticket, j->r->finish };
  if (j->v->host)
    return launch_library (j, &a);
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
prepare (job *j)
{
  if (! j->o)
    GPR_CUDA_TRY (cudaMemsetAsync (j->results, 0, j->r->bins * sizeof *j->r->counts, j->s->work), "clearing memory");
  else
    GPR_CUDA_TRY (cudaMemcpyAsync (j->result, j->s->mail + IDENTITY_AT, j->o->bytes, cudaMemcpyHostToDevice, j->s->work),
                  "copying to the GPU");
  GPR_CUDA_TRY (cudaMemsetAsync (j->ticket, 0, sizeof *j->ticket, j->s->work), "clearing memory");
  return GPR_OK;
}

static gpr_status
copy_on_device (const job *j, void *to, const void *from, size_t bytes)
{
  GPR_CUDA_TRY (cudaMemcpyAsync (to, from, bytes, cudaMemcpyDeviceToDevice, j->s->work), "copying on the GPU");
  return GPR_OK;
}

/* Every copy of the ring anew from x, which doubles what is there.  */
static gpr_status
fill_ring (const job *j)
{
  size_t whole = j->copies * j->stride;

  GPR_CUDA_TRY (cudaMemsetAsync (j->ring, 0, j->stride, j->s->work), "clearing memory");
  GPR_TRY (copy_on_device (j, j->ring, j->x, j->r->n * bytes_of (j->r->type)));
  for (size_t there = j->stride; there < whole; there *= 2)
    GPR_TRY (copy_on_device (j, (char *) j->ring + there, j->ring, there < whole - there ? there : whole - there));
  return GPR_OK;
}

/* Keeps the GPU waiting until the host has queued the launches: their cost on the
   host is not the kernels'.  */
static gpr_status
hold (const gpr_cuda_state *s, const gpr_ladder_module *m)
{
  ladder_reduce_args a = { .n = 30000 };
  GPR_CUDA_TRY ((cudaError_t) m->launch (m->delay (), LADDER_SUM, LADDER_INT32, 32, 1, 0, &a, s->work, false), "timing a kernel");
  return GPR_OK;
}

static gpr_status
run_at (job *j, const void *x, bool timed, double *ms)
{
  float taken = 0;

  GPR_TRY (prepare (j));
  if (timed)
    GPR_TRY (hold (j->s, j->m));
  GPR_CUDA_TRY (cudaEventRecord (j->begin, j->s->work), "timing a kernel");
  GPR_TRY (launch_all (j, x));
  GPR_CUDA_TRY (cudaEventRecord (j->end, j->s->work), "timing a kernel");
  if (j->o)
    GPR_CUDA_TRY (cudaMemcpyAsync (j->s->mail + RESULT_AT, j->result, j->o->bytes, cudaMemcpyDeviceToHost, j->s->work),
                  "copying from the GPU");
  GPR_CUDA_TRY (cudaEventRecord (j->done, j->s->work), "timing a kernel");
  GPR_TRY (gpr_cuda_wait (j->done));
  GPR_CUDA_TRY (cudaEventElapsedTime (&taken, j->begin, j->end), "timing a kernel");
  *ms = taken;
  return GPR_OK;
}

/* A key has the place; the value is there.  */
static gpr_status
fetch_packed (job *j)
{
  gpr_variant_run *r = j->r;
  const size_t bytes = bytes_of (r->type);
  int64_t at = (int64_t) ladder_key_index (*(const uint64_t *) (j->s->mail + RESULT_AT));
  gpr_cuda_view value = gpr_cuda_bytes (r->value, bytes);

  if (at >= r->n)
    return gpr_cuda_fail (GPR_DEVICE_LOST, "%s gave place %lld of %lld", j->v->name, (long long) at + 1, (long long) r->n);
  if (r->index)
    *r->index = at;
  if (r->x_resident)
    return gpr_cuda_download (j->s, &value, (const char *) r->x + at * bytes);
  memcpy (r->value, (const char *) r->x + at * bytes, bytes);
  return GPR_OK;
}

static gpr_status
fetch (job *j)
{
  gpr_variant_run *r = j->r;

  if (! j->o)
    {
      gpr_cuda_view counts = gpr_cuda_bytes (r->counts, r->bins * sizeof *r->counts);
      return gpr_cuda_download (j->s, &counts, j->results);
    }
  if (j->v->packed)
    return fetch_packed (j);
  j->o->end (j->s->mail + RESULT_AT, r->value, r->index);
  return GPR_OK;
}

static gpr_status
upload (job *j)
{
  gpr_variant_run *r = j->r;
  gpr_cuda_view x = gpr_cuda_bytes (r->x, r->n * bytes_of (r->type));
  return r->x_resident ? GPR_OK : gpr_cuda_upload (j->s, j->own_x, &x);
}

static double
now_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

/* The kernels alone, on one copy after another.  */
static gpr_status
time_kernels (job *j)
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
run_whole (job *j)
{
  const bool on_copy = j->v->in_place && j->r->x_resident;
  double ms = 0;

  for (int i = 0; i == 0 || i < j->r->repeats; i++)
    {
      if (on_copy)
        {
          GPR_TRY (copy_on_device (j, j->ring, j->x, j->r->n * bytes_of (j->r->type)));
          GPR_CUDA_TRY (cudaStreamSynchronize (j->s->work), "copying on the GPU");
        }
      double start = now_ms ();
      GPR_TRY (upload (j));
      GPR_TRY (run_at (j, on_copy ? j->ring : j->x, false, &ms));
      GPR_TRY (fetch (j));
      if (i < j->r->repeats && j->r->total_ms)
        j->r->total_ms[i] = now_ms () - start;
      if (gpr_cuda_interrupted ())
        return gpr_cuda_fail (GPR_INTERRUPTED, "interrupted");
    }
  j->s->kernel_ms = ms;
  return GPR_OK;
}

static gpr_status
run (job *j)
{
  GPR_TRY (check_variant (j));
  if (! j->v->host)
    {
      GPR_TRY (plan_shared (j));
      GPR_TRY (plan_grid (j));
    }
  GPR_TRY (plan_ring (j));
  GPR_TRY (allocate (j));
  if (j->v->packed)
    memset (j->s->mail + IDENTITY_AT, 0, j->o->bytes);
  else if (j->o)
    j->o->start (j->s->mail + IDENTITY_AT);
  if (j->r->repeats > 0)
    {
      GPR_TRY (upload (j));
      GPR_TRY (time_kernels (j));
    }
  return run_whole (j);
}

gpr_status
gpr_cuda_variant (gpr_variant_run *r, const gpr_ladder_module *m)
{
  gpr_variant_run own = *r;
  job j = { .r = &own, .m = m, .v = find_variant (m, r), .slices = 1 };

  if (! j.v)
    return gpr_cuda_fail (GPR_BAD_INPUT, "no variant %s in the module of CUDA kernels", r->name);
  own.finish = r->finish < 0 ? j.v->default_finish : r->finish;
  own.block = r->block < 0 ? j.v->default_block : r->block;
  j.arg = r->op == LADDER_ARGMAX || r->op == LADDER_ARGMIN;
  if (r->op != LADDER_HISTOGRAM && r->type != LADDER_UINT8)
    j.o = &operators[r->op][r->type];
  if (r->n < 1)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s needs at least one element", r->name);
  GPR_TRY (gpr_cuda_enter (&j.s, r->x_resident ? r->x : NULL, NULL, NULL));
  GPR_TRY (use_module (m));
  gpr_status status = run (&j);
  gpr_cuda_leave (j.s);
  gpr_cuda_note_times (j.s);
  release (&j);
  return status;
}

/* ---- the read ceiling --------------------------------------------------------------------- */

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;
  return (x > y) - (x < y);
}

/* Readings of so many bytes by grids of two shapes, a block for every tile and as
   many blocks as run at once: the better median, timed as the variants are.  */
static gpr_status
time_reading (gpr_cuda_state *s, const gpr_ladder_module *m, void *x, int64_t bytes, void *result, const cudaEvent_t *events,
              double *gbs)
{
  enum { BLOCK = 512, TILE = BLOCK * 16 * 4, ROUNDS = 15 };
  const ladder_variant *v = m->read_test ();
  ladder_reduce_args a = { .x = x, .n = bytes / TILE * TILE / 16, .result = result };
  int resident = m->resident_blocks (v, LADDER_SUM, LADDER_INT32, BLOCK, 0);
  float ms[2][ROUNDS];

  if (resident <= 0)
    return gpr_cuda_error (resident < 0 ? (cudaError_t) - resident : cudaErrorLaunchOutOfResources, "planning");
  for (int i = -2; i < 2 * ROUNDS; i++)         /* the first two warm up */
    {
      const int shape = i & 1;
      int64_t grid = bytes / TILE;
      if (shape == 0)
        grid = gpr_min64 (grid, resident);
      GPR_TRY (hold (s, m));
      GPR_CUDA_TRY (cudaEventRecord (events[0], s->work), "timing a kernel");
      GPR_CUDA_TRY ((cudaError_t) m->launch (v, LADDER_SUM, LADDER_INT32, BLOCK, (unsigned) gpr_min64 (grid, INT_MAX), 0, &a,
                                             s->work, false), "reading memory");
      GPR_CUDA_TRY (cudaEventRecord (events[1], s->work), "timing a kernel");
      GPR_TRY (gpr_cuda_wait (events[1]));
      GPR_CUDA_TRY (cudaEventElapsedTime (&ms[shape][i < 0 ? 0 : i / 2], events[0], events[1]), "timing a kernel");
    }
  for (int shape = 0; shape < 2; shape++)
    {
      qsort (ms[shape], ROUNDS, sizeof (float), compare_floats);
      *gbs = fmax (*gbs, a.n * 16 / ms[shape][ROUNDS / 2] * 1e-6);
    }
  return GPR_OK;
}

/* GB/s of plain reading of so many bytes (0: 1 GiB), which no reduction can beat.  */
gpr_status
gpr_cuda_read_ceiling (const gpr_ladder_module *m, int64_t bytes, double *gbs)
{
  const int64_t usual = (int64_t) 1 << 30, least = 1 << 20;
  cudaEvent_t events[2] = { NULL, NULL };
  void *x = NULL, *result = NULL;
  gpr_cuda_state *s;

  *gbs = 0;
  bytes = gpr_max64 (bytes > 0 ? bytes : usual, least);
  GPR_TRY (gpr_cuda_enter (&s, NULL, NULL, NULL));
  GPR_TRY (use_module (m));
  gpr_status status = gpr_cuda_take (&x, bytes);
  if (status == GPR_OK)
    status = gpr_cuda_take (&result, 16);
  for (int i = 0; i < 2 && status == GPR_OK; i++)
    {
      cudaError_t e = cudaEventCreate (&events[i]);
      status = e == cudaSuccess ? GPR_OK : gpr_cuda_error (e, "making an event");
    }
  if (status == GPR_OK)
    {
      cudaError_t e = cudaMemsetAsync (x, 0, bytes, s->work);
      status = e == cudaSuccess ? GPR_OK : gpr_cuda_error (e, "clearing memory");
    }
  if (status == GPR_OK)
    status = time_reading (s, m, x, bytes, result, events, gbs);
  gpr_cuda_leave (s);
  for (int i = 0; i < 2; i++)
    if (events[i])
      (void) cudaEventDestroy (events[i]);
  gpr_cuda_give (x);
  gpr_cuda_give (result);
  return status;
}
