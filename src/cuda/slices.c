/* Reductions in stages and what reads their results, in one kernel that is compiled at run time (kernels/engine/compiled/slices.cuh).  */

#include <string.h>

#include "compile.h"
#include "problems.h"
#include "stream.h"
#include "../core/slices.h"

enum {
  SMALL_THREADS = 256,
  SLAB_BYTES = 64 << 10,        /* that a block of them should have at most: then several are in a multiprocessor's first cache */
  MOST_SLAB_BYTES = 256 << 10,
  CACHED_BYTES = 24 << 20,      /* of the second cache, for all blocks together */
  ROW_BYTES = 64,               /* neighbours that are read together, at least */
  MOST_SHARED = 40 << 10
};

static int
log2_of (int n)
{
  return 31 - __builtin_clz ((unsigned) n);
}

static int
power_from (int64_t n, int most)
{
  int p = 1;
  while (p < n && p < most)
    p *= 2;
  return p;
}

/* Bytes of an element of the slices, which the stages read again.  */
static int
element_bytes (const gpr_map_args *a, int leaves)
{
  int bytes = 0;
  for (int l = 0; l < leaves; l++)
    {
      bool repeats = false;
      for (int d = 0; d < a->rank; d++)
        repeats = repeats || a->strides[l][d] == 0;
      bytes += repeats ? 0 : gpr_bytes_of (a->elems[l]);
    }
  return bytes > 0 ? bytes : 1;
}

/* Threads and slices of a block, and the trees; false: slices that are too long for it.  */
static bool
plan (gpr_slices_args *args, const gpr_slices *p, int bytes, int multiprocessors, int *threads, size_t *shared, int64_t *blocks)
{
  int lanes = 1;

  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].instance != GPR_INSTANCE_NONE)
      {
        const gpr_tree t = gpr_tree_make (p->stage[k].acc_bytes, p->inner, p->length, p->outer);
        args->tree[k] = (gpr_slices_tree) { t.rows, (int32_t) t.parts, t.lanes, log2_of (t.lanes) };
        lanes = t.lanes > lanes ? t.lanes : lanes;
      }
  const int64_t slice = p->length * bytes;
  if (p->length > INT32_MAX || slice > MOST_SLAB_BYTES)
    return false;
  *threads = SMALL_THREADS;
  if (p->inner == 1)
    {
      if (slice > SLAB_BYTES / 2 && lanes >= SMALL_THREADS)
        *threads = GPR_SLICES_MOST_THREADS;
      args->group = lanes < *threads ? lanes : *threads;
      args->slices = *threads / args->group;
    }
  else
    {
      const int least = power_from (p->inner, ROW_BYTES / bytes > 1 ? ROW_BYTES / bytes : 1);
      args->slices = power_from (p->inner, *threads);
      while (args->slices > least && (args->slices * slice > SLAB_BYTES || gpr_over (p->inner, args->slices) * p->outer < 2 * multiprocessors))
        args->slices /= 2;
      if (args->slices * slice > SLAB_BYTES)
        *threads = GPR_SLICES_MOST_THREADS;
      args->group = *threads / args->slices;
    }
  args->slices_log2 = log2_of (args->slices);
  args->group_log2 = log2_of (args->group);
  args->inner = p->inner;
  args->length = p->length;
  args->outer = p->outer;
  args->tiles = p->inner == 1 ? 1 : gpr_over (p->inner, args->slices);
  args->slabs = p->inner == 1 ? gpr_over (p->outer, args->slices) : args->tiles * p->outer;
  const int64_t slab = args->slices * slice;
  *shared = 0;
  for (int k = 0; k < p->stages; k++)
    if (p->stage[k].instance != GPR_INSTANCE_NONE)
      {
        const size_t stage = (size_t) args->tree[k].parts * args->tree[k].lanes * args->slices * p->stage[k].acc_bytes;
        *shared = stage > *shared ? stage : *shared;
      }
  *shared = (*shared + 1023) / 1024 * 1024;
  *blocks = CACHED_BYTES / slab;
  return slab <= MOST_SLAB_BYTES && *shared <= MOST_SHARED && args->slabs >= multiprocessors / 2;
}

bool
gpr_cuda_slices_fit (const gpr_cuda_state *s, int64_t inner, int64_t length, int64_t outer)
{
  const gpr_slices p = { .inner = inner, .length = length, .outer = outer, .stages = 1, .stage[0] = { .instance = GPR_sum_f64, .acc_bytes = sizeof (double) } };
  gpr_slices_args args;
  int threads;
  size_t shared;
  int64_t blocks;
  return gpr_cuda_compiles (s, inner * length * outer) && plan (&args, &p, sizeof (float), s->multiprocessors, &threads, &shared, &blocks);
}

gpr_status
gpr_cuda_slices (gpr_cuda_state *s, gpr_slices *p)
{
  gpr_slices_args args = { .z = p->m.z };
  gpr_map_args a;
  gpr_source_key key;
  size_t shared;
  int64_t blocks;
  int threads;
  gpr_cuda_slot *slot;

  p->done = false;
  gpr_cuda_plan_map (&a, &p->m);
  for (int k = 0; k < p->stages; k++)
    {
      if (p->stage[k].leaf >= 0)
        a.lies[p->stage[k].leaf] = GPR_MAP_RESULT;
      args.value[k] = p->stage[k].value;
      args.divisor[k] = p->stage[k].divisor;
    }
  if (! gpr_cuda_compiles (s, p->inner * p->length * p->outer) || ! plan (&args, p, element_bytes (&a, p->m.leaves), s->multiprocessors, &threads, &shared, &blocks)
      || ! gpr_source_of_map (&key, &a, p->m.leaves, s->capability))
    return GPR_OK;
  gpr_source_slices (&key, p, threads, shared);
  gpr_cuda_function *kernel = gpr_cuda_compiled (s, &key);
  if (! kernel)
    return GPR_OK;
  gpr_source_terms (&args.terms, &a, p->m.leaves);
  args.doubt = s->needs_fixup;
  *(volatile int *) s->needs_fixup = 0;
  GPR_TRY (gpr_cuda_next_slot (s, &slot));
  GPR_TRY (gpr_cuda_begin_work (s, slot));
  const int64_t at_once = (int64_t) gpr_cuda_compiled_blocks (kernel, threads) * s->multiprocessors;
  blocks = gpr_min64 (gpr_min64 (at_once, blocks < s->multiprocessors ? s->multiprocessors : blocks / s->multiprocessors * s->multiprocessors), args.slabs);
  GPR_TRY (gpr_cuda_launch_compiled (s, kernel, blocks, threads, 0, &args));
  GPR_TRY (gpr_cuda_end_work (s, slot));
  GPR_TRY (gpr_cuda_drain (s));
  p->done = *(volatile int *) s->needs_fixup == 0;
  return GPR_OK;
}
