/* What a variant's descriptor says about geometry, shared memory and finish, as
   numbers of one run; its memory.  */

#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"
#include "variant_plan.h"
#include "../../kernels/ladder/check.h"

/* ---- operators ------------------------------------------------------------------- */

GPR_INSTANCES_SUM (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_PROD (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_EXTREME (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_ARG (GPR_DEFINE_INSTANCE)
GPR_INSTANCES_LADDER (GPR_DEFINE_INSTANCE)

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
static const gpr_variant_operator operators[LADDER_OPS][LADDER_TYPES] = { OPERATORS (OPERATOR_ROW) };

const gpr_variant_operator *
gpr_variant_operator_of (int op, int type)
{
  return op != LADDER_HISTOGRAM && type != LADDER_UINT8 ? &operators[op][type] : NULL;
}

int
gpr_variant_bytes (int type)
{
  static const int bytes[LADDER_TYPES] = { sizeof (double), sizeof (float), sizeof (int32_t), 1 };
  return bytes[type];
}

gpr_status
gpr_variant_check (const gpr_variant_job *j, int code, const char *doing)
{
  char what[128];
  snprintf (what, sizeof what, "%s %s", doing, j->v->name);
  return code == 0 ? GPR_OK : gpr_cuda_error ((cudaError_t) code, what);
}

const ladder_variant *
gpr_variant_find (const gpr_ladder_module *m, const gpr_variant_run *r)
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
check_variant (const gpr_variant_job *j)
{
  const gpr_variant_run *r = j->r;
  const ladder_variant *v = j->v;
  char why[512];
  gpr_device d;

  if (v->fault)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s has a fault on purpose and runs in the simulator only (\"device\", \"sim\")", v->name);
  if (! ladder_allows (v, r->op, r->type, r->finish, r->block, why, sizeof why))
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s", why);
  if (! ladder_takes (v, r->n, r->block, why, sizeof why))
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s", why);
  if (j->arg && r->finish == LADDER_MULTI_LEVEL && ! v->host)
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s: a level's results are values with indices, which the kernel does not read: "
                          "no multi_level", v->name);
  if (v->packed && (r->n > UINT32_MAX || gpr_variant_bytes (r->type) != 4))
    return gpr_cuda_fail (GPR_BAD_INPUT, "%s packs value and index in 64 bits: single or int32, fewer than 2^32 elements", v->name);
  GPR_TRY (gpr_cuda_properties (j->s->number + 1, &d));
  if (d.major < v->needs_major)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "%s needs compute capability %d.0; GPU %d (%s) has %d.%d", v->name, v->needs_major,
                          j->s->number + 1, d.name, d.major, d.minor);
  return GPR_OK;
}

/* ---- plan --------------------------------------------------------------------------- */

static gpr_status
plan_shared (gpr_variant_job *j)
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
plan_grid (gpr_variant_job *j)
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
        return gpr_variant_check (j, resident < 0 ? - resident : (int) cudaErrorLaunchOutOfResources, "planning");
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
plan_ring (gpr_variant_job *j)
{
  size_t bytes = j->r->n * gpr_variant_bytes (j->r->type);
  int l2 = 0;

  GPR_CUDA_TRY (cudaDeviceGetAttribute (&l2, cudaDevAttrL2CacheSize, j->s->number), "reading the GPU's properties");
  j->stride = (bytes + 255) / 256 * 256;
  if (j->r->repeats > 0 && bytes < 2 * (size_t) l2)
    j->copies = 1 + 2 * (size_t) l2 / j->stride;
  else if (j->v->in_place && (j->r->x_resident || j->r->repeats > 0))
    j->copies = 1;
  return GPR_OK;
}

static gpr_status
allocate (gpr_variant_job *j)
{
  gpr_variant_run *r = j->r;
  size_t value = j->o ? j->o->bytes : 8;
  size_t results = j->o ? (j->slices + 1) * value : r->bins * sizeof *r->counts;

  if (! r->x_resident)
    GPR_TRY (gpr_cuda_take (j->s, &j->own_x, r->n * gpr_variant_bytes (r->type)));
  j->x = r->x_resident ? r->x : j->own_x;
  if (j->copies > 0)
    GPR_TRY (gpr_cuda_take (j->s, &j->ring, j->copies * j->stride));
  results = (results + 15) / 16 * 16;
  GPR_TRY (gpr_cuda_take (j->s, &j->results, results + 16));
  j->ticket = (unsigned *) ((char *) j->results + results);
  j->result = (char *) j->results + (j->o ? j->slices * value : 0);
  if (j->o && ! j->v->host)
    {
      GPR_TRY (gpr_cuda_take (j->s, &j->partials[0], j->grid * value));
      if (r->finish == LADDER_MULTI_LEVEL)
        GPR_TRY (gpr_cuda_take (j->s, &j->partials[1], gpr_over (j->grid, j->covered) * value));
    }
  if (! j->o)
    {
      gpr_cuda_view edges = gpr_cuda_bytes (r->edges, (r->bins + 1) * sizeof *r->edges);
      GPR_TRY (gpr_cuda_take (j->s, &j->edges, edges.segment));
      GPR_TRY (gpr_cuda_upload (j->s, j->edges, &edges));
    }
  GPR_CUDA_TRY (cudaEventCreate (&j->begin), "making an event");
  GPR_CUDA_TRY (cudaEventCreate (&j->end), "making an event");
  GPR_CUDA_TRY (cudaEventCreateWithFlags (&j->done, cudaEventDisableTiming), "making an event");
  return GPR_OK;
}

void
gpr_variant_release (gpr_variant_job *j)
{
  void *blocks[] = { j->own_x, j->ring, j->partials[0], j->partials[1], j->results, j->scratch, j->edges };
  cudaEvent_t events[] = { j->begin, j->end, j->done };

  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    gpr_cuda_give (blocks[i]);
  for (int i = 0; i < 3; i++)
    if (events[i])
      (void) cudaEventDestroy (events[i]);
}

gpr_status
gpr_variant_plan (gpr_variant_job *j)
{
  GPR_TRY (check_variant (j));
  if (! j->v->host)
    {
      GPR_TRY (plan_shared (j));
      GPR_TRY (plan_grid (j));
    }
  GPR_TRY (plan_ring (j));
  return allocate (j);
}
