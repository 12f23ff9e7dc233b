/* One reduction, as reduce_plan.c plans it.  Its outputs are computed box by box: as many outers,
   or tiles of columns of one outer, as the scratch for partial results allows; for most calls one
   box.  The input of a box comes in chunks, whole units of the tree: a resident one in one
   chunk, a host one in chunks of a slot: some outers, or some parts of one, or, where even one
   part of all columns is too large, some tiles of some rows, gathered row by row.  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "reduce_job.h"
#include "../core/map.h"

static const gpr_reduce_kernels *
find_kernel (enum gpr_instance instance)
{
  const gpr_reduce_kernels *(*const groups[]) (enum gpr_instance) = {
    gpr_engine_sum, gpr_engine_sumsq, gpr_engine_prod, gpr_engine_native,
    gpr_engine_extreme, gpr_engine_bounds, gpr_engine_arg, gpr_engine_logical, gpr_engine_moments, gpr_engine_norm
  };
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    {
      const gpr_reduce_kernels *k = groups[i] (instance);
      if (k)
        return k;
    }
  return NULL;
}

int
gpr_cuda_acc_bytes (enum gpr_instance instance)
{
  const gpr_reduce_kernels *k = find_kernel (instance);
  return k ? k->acc_bytes : 0;
}

/* Columns of so many tiles from tile t.  */
static int64_t
columns_of (const gpr_reduce_job *j, int64_t t, int64_t tiles)
{
  return gpr_reduce_columns (&j->t, t, tiles);
}

/* Of a result, where it is written.  */
static size_t
value_bytes (const gpr_reduce_job *j)
{
  return j->r->apart ? j->kernel->elem_bytes : j->kernel->value_bytes;
}

/* ---- the device ------------------------------------------------------------------------- */

/* Blocks of the dense kernel that a multiprocessor runs at once; asked once for each device.  */
static gpr_status
blocks_at_once (const gpr_reduce_job *j, int *blocks)
{
  static struct { const void *kernel; int blocks; } known[GPR_CUDA_DEVICES][2 * GPR_INSTANCE_COUNT];
  const void *kernel = j->r->y ? j->kernel->dense_of_products : j->kernel->dense;
  const int threads = j->kernel->merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS;
  const int device = j->s->number, i = 2 * (int) j->r->instance + (j->r->y != NULL);
  if (known[device][i].kernel != kernel)
    {
      GPR_CUDA_TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&known[device][i].blocks, kernel, threads, 0),
                    "reading a kernel's size");
      known[device][i].kernel = kernel;
    }
  *blocks = known[device][i].blocks;
  return GPR_OK;
}

gpr_status
gpr_reduce_start (gpr_reduce_job *j, gpr_cuda_state *s, gpr_reduction *r, const gpr_tree *tree)
{
  int blocks = 1;
  *j = (gpr_reduce_job) { .r = r, .s = s, .kernel = find_kernel (r->instance) };
  if (! j->kernel || (r->y && ! j->kernel->lanes_of_products))
    return gpr_cuda_fail (GPR_UNSUPPORTED, "reduction %d has no kernel", (int) r->instance);
  j->t = tree ? *tree : gpr_tree_make (j->kernel->acc_bytes, r->inner, r->length, r->whole_outer ? r->whole_outer : r->outer);
  j->t.outer = tree ? tree->outer : r->outer;
  j->problem = (gpr_reduce_problem) { j->kernel, j->t, (uintptr_t) r->x, r->y != NULL, r->x_resident, r->out_resident, r->index != NULL };
  if (gpr_reduce_plan_asks_blocks (&j->problem))
    GPR_TRY (blocks_at_once (j, &blocks));
  j->device = (gpr_reduce_device) { s->multiprocessors, (int64_t) blocks * s->multiprocessors, gpr_tuning_of (s->capability) };
  return GPR_OK;
}

/* ---- memory ----------------------------------------------------------------------------- */

static gpr_status
allocate (gpr_reduce_job *j)
{
  const gpr_reduce_plan *p = &j->plan;
  int64_t outputs = p->box_outers * columns_of (j, 0, p->box_tiles);
  bool single = p->outers == j->t.outer && p->tiles == j->t.tiles && p->parts == j->t.parts;

  if (p->partial_bytes)
    GPR_TRY (gpr_cuda_take (j->s, &j->partials, outputs * p->partial_bytes));
  if (! j->r->out_resident && gpr_reduce_results_bytes (j, outputs) > GPR_CUDA_PINNED_RESULTS)
    GPR_TRY (gpr_cuda_take (j->s, &j->results, gpr_reduce_results_bytes (j, outputs)));
  if (p->chunk_bytes)
    GPR_TRY (gpr_cuda_equip_slots (j->s, single ? 1 : GPR_CUDA_SLOTS, p->chunk_bytes));
  return GPR_OK;
}

void
gpr_reduce_release (gpr_reduce_job *j)
{
  gpr_cuda_give (j->partials);
  gpr_cuda_give (j->results);
  gpr_cuda_strip_slots (j->s);
  j->partials = j->results = NULL;
}

/* ---- launches ---------------------------------------------------------------------------- */

/* GPUREDUCE_EXPLAIN=1: what is launched, and why, to standard error.  */
static void
explain (const gpr_reduce_job *j, const gpr_reduce_launch *l)
{
  static _Atomic int wanted = -1;         /* threads of several devices ask */
  char text[512];
  if (wanted < 0)
    wanted = getenv ("GPUREDUCE_EXPLAIN") != NULL;
  if (! wanted)
    return;
  gpr_reduce_plan_explain (&j->problem, &j->plan, l, text, sizeof text);
  fprintf (stderr, "gpureduce: %s\n", text);
}

static gpr_load_args
load_args (const gpr_reduce_job *j, const void *x, int64_t second)
{
  return j->r->y ? (gpr_load_args) { .product = { x, second } } : (gpr_load_args) { .array = { x, j->kernel->turn } };
}

static const void *
kernel_of (const gpr_reduce_job *j, const gpr_reduce_launch *l)
{
  const gpr_reduce_kernels *k = j->kernel;
  if (l->exact)
    return l->algorithm == GPR_ALGORITHM_EXACT_ROWS ? k->exact_rows : k->exact_columns;
  if (j->r->y)
    return l->dense ? k->dense_of_products : l->short_columns ? k->short_columns_of_products : k->lanes_of_products;
  return l->dense ? k->dense : l->short_columns ? k->short_columns : k->lanes;
}

/* Its Load's arguments are the last, and longer; a chunk begins at so many elements as its address says.  */
static gpr_status
launch_compiled (gpr_reduce_job *j, const gpr_reduce_launch *l, const gpr_reduce_args *a)
{
  struct { gpr_reduce_args args; gpr_expression_args more; } all = { .args = *a };
  const gpr_expression_args e = { (int64_t) ((uintptr_t) a->load.array.x / j->kernel->elem_bytes), j->kernel->turn, *j->terms };
  memcpy ((char *) &all + offsetof (gpr_reduce_args, load), &e, sizeof e);
  return gpr_cuda_launch_compiled (j->s, j->compiled, gpr_evenly (l->blocks, gpr_cuda_most_blocks (j->s)), l->threads, 0, &all);
}

static gpr_status
launch (gpr_reduce_job *j, const gpr_reduce_launch *l, const gpr_reduce_args *a)
{
  return j->compiled ? launch_compiled (j, l, a) : (l->short_columns ? gpr_cuda_launch_elements : gpr_cuda_launch) (j->s, kernel_of (j, l), l->blocks, l->threads, 0, a);
}

static gpr_status
launch_chunk (gpr_reduce_job *j, gpr_cuda_slot *slot, const gpr_reduce_box *k, const void *x, int64_t second, int64_t row_stride)
{
  const gpr_tree *t = &j->t;
  const int64_t column = (k->tile - k->box_tile) * t->columns, outer = k->outer - k->box_outer;
  const int64_t first = outer * k->box_columns + column;
  const gpr_reduce_chunk c = { (uintptr_t) x, second, row_stride, k->outers, k->tiles, k->parts, k->out.value != NULL };
  gpr_reduce_launch l = gpr_reduce_plan_launch (&j->problem, &j->device, &j->plan, &c);
  if (j->compiled)
    l.ticketed = l.mails = false;
  if (j->compiled && l.algorithm != j->compiled_algorithm)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "a kernel was compiled of another algorithm than is planned");
  gpr_reduce_args a = {
    .algorithm = l.algorithm, .own = l.own, .load = load_args (j, x, second),
    .row_stride = row_stride, .outer_stride = t->length * t->inner,
    .inner = t->inner, .length = t->length, .rows = (int32_t) t->rows, .all_parts = l.all_parts,
    .first_part = k->part, .first_tile = k->tile, .parts = l.parts, .tiles = k->tiles, .outers = k->outers, .units = l.units,
    .by_parts = 1.0 / l.parts, .by_tiles = 1.0 / k->tiles,
    .out_columns = k->box_columns - column, .out_stride = k->box_columns,
    .lanes = t->lanes, .lanes_log2 = __builtin_ctz (t->lanes),
    .columns = t->columns, .columns_log2 = 31 - __builtin_clz (2 * t->columns - 1),
    .tickets = l.ticketed ? j->s->tickets : NULL, .out = k->out
  };

  explain (j, &l);
  a.out.value = (char *) a.out.value + first * value_bytes (j);
  if (a.out.most)
    a.out.most = (char *) a.out.most + first * value_bytes (j);
  if (a.out.index)
    a.out.index += first;
  if (j->partials)
    a.partials = (char *) j->partials + (outer * l.all_parts * k->box_columns + column) * j->kernel->acc_bytes;
  j->left_parts = l.all_parts;
  j->ticketed &= l.ticketed || l.all_parts == 1;
  if (a.out.mailbox && l.mails)
    {
      j->called = true;
      return gpr_cuda_call (j->s, kernel_of (j, &l), l.blocks, l.threads, &a, &a.out.call);
    }
  const bool merge_mails = a.out.mailbox && l.all_parts > 1;
  a.out.mailbox = NULL;
  if (merge_mails)              /* there are several parts, of an expression's long rows too */
    {
      j->s->called_ms = gpr_cuda_now_ms ();
      return launch (j, &l, &a);
    }
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (launch (j, &l, &a));
  return gpr_cuda_end_work (j->s, slot);
}

/* The tree over parts.  */
static gpr_status
launch_merge (gpr_reduce_job *j, const gpr_reduce_box *k, gpr_cuda_slot *slot, int64_t outers)
{
  const gpr_reduce_launch l = gpr_reduce_plan_merge (&j->device, j->kernel->acc_bytes, j->left_parts, k->box_columns, outers);
  gpr_reduce_args a = { .algorithm = l.algorithm, .own = l.own, .load = load_args (j, NULL, 0), .all_parts = l.all_parts, .outers = outers,
                        .out_columns = k->box_columns, .out_stride = k->box_columns, .partials = j->partials, .out = k->out };
  explain (j, &l);
  if (a.out.mailbox)
    {
      j->called = true;
      return gpr_cuda_call (j->s, j->kernel->lanes, l.blocks, l.threads, &a, &a.out.call);
    }
  GPR_TRY (gpr_cuda_launch (j->s, j->kernel->lanes, l.blocks, l.threads, 0, &a));
  return gpr_cuda_end_work (j->s, slot);
}

gpr_status
gpr_reduce_run (gpr_reduce_job *j, gpr_cuda_slot *slot, const gpr_reduce_box *k)
{
  const gpr_tree *t = &j->t;
  const int64_t row = k->part * t->rows, rows = gpr_min64 (k->parts * t->rows, t->length - row);
  const int64_t column = k->tile * t->columns, columns = columns_of (j, k->tile, k->tiles);
  const size_t elem = j->kernel->elem_bytes, at = (column + t->inner * (row + t->length * k->outer)) * elem;
  const char *x = (const char *) j->r->x + at, *y = j->r->y ? (const char *) j->r->y + at : NULL;
  int64_t row_stride = t->inner, second = y ? y - x : 0;

  if (j->plan.chunk_bytes)
    {
      gpr_cuda_view v[2] = { { (char *) x, columns * elem, t->inner * elem, rows } };
      if (columns == t->inner)
        v[0] = gpr_cuda_bytes (x, (size_t) k->outers * rows * t->inner * elem);
      v[1] = v[0];
      v[1].host = (char *) y;
      GPR_TRY (gpr_cuda_send (j->s, slot, v, y ? 2 : 1, slot->device));
      x = slot->device;
      if (y)
        second = v[0].segment * v[0].count;
      row_stride = columns;
    }
  return launch_chunk (j, slot, k, x, second, row_stride);
}

static gpr_status
run_box (gpr_reduce_job *j, gpr_reduce_box *k)
{
  const int64_t outers = gpr_min64 (j->plan.box_outers, j->t.outer - k->box_outer);
  const int64_t tiles = gpr_min64 (j->plan.box_tiles, j->t.tiles - k->box_tile);
  gpr_reduction *r = j->r;
  k->box_columns = columns_of (j, k->box_tile, tiles);

  const int64_t outputs = outers * k->box_columns, first = k->box_outer * j->t.inner + k->box_tile * j->t.columns;
  const size_t each = value_bytes (j);
  char *value = (char *) r->value + first * each;
  int64_t *index = r->index ? r->index + first : NULL;
  bool mail = ! r->out_resident && ! j->results;
  gpr_cuda_slot *slot = NULL;

  char *results = mail ? j->s->mail : j->results;
  k->out = (gpr_reduce_out) { .value = value, .index = index, .rows = r->rows, .apart = r->apart, .most = r->most ? (char *) r->most + first * each : NULL,
                              .divisor = r->divisor, .needs_fixup = j->s->needs_fixup };
  j->settles = (r->out_resident || mail) && gpr_cuda_settles_behind (r);
  if (mail && ! j->settles && ! j->plan.chunk_bytes && j->t.inner * j->t.outer == 1)      /* the whole problem: one box, one flag */
    k->out.mailbox = j->s->mailbox;
  if (! r->out_resident)
    {
      k->out.index = index ? (int64_t *) results : NULL;
      k->out.value = results + gpr_reduce_index_bytes (j, outputs);
    }

  j->ticketed = true;
  for (k->outer = k->box_outer; k->outer < k->box_outer + outers; k->outer += k->outers)
    for (k->tile = k->box_tile; k->tile < k->box_tile + tiles; k->tile += k->tiles)
      for (k->part = 0; k->part < j->t.parts; k->part += k->parts)
        {
          k->outers = gpr_min64 (j->plan.outers, k->box_outer + outers - k->outer);
          k->tiles = gpr_min64 (j->plan.tiles, k->box_tile + tiles - k->tile);
          k->parts = gpr_min64 (j->plan.parts, j->t.parts - k->part);
          GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
          GPR_TRY (gpr_reduce_run (j, slot, k));
        }
  if (j->partials && ! j->ticketed)
    GPR_TRY (launch_merge (j, k, slot, outers));
  if (j->settles && outputs == j->t.inner * j->t.outer)
    GPR_TRY (gpr_cuda_settle_behind (j->s, slot, r, k->out.value));
  else
    j->settles = false;

  if (mail)
    {
      if (j->called)
        return gpr_cuda_await_call (j->s, value, each, index, &r->needs_fixup);
      GPR_TRY (gpr_cuda_drain (j->s));
      memcpy (value, k->out.value, outputs * each);
      if (index)
        memcpy (index, k->out.index, outputs * sizeof *index);
    }
  else if (! r->out_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (value, outputs * each), i = gpr_cuda_bytes (index, outputs * sizeof *index);
      GPR_TRY (gpr_cuda_download (j->s, &v, k->out.value));
      if (index)
        GPR_TRY (gpr_cuda_download (j->s, &i, k->out.index));
    }
  return GPR_OK;
}

static gpr_status
run (gpr_reduce_job *j)
{
  gpr_reduce_box k = { 0 };
  *(volatile int *) j->s->needs_fixup = 0;
  for (k.box_outer = 0; k.box_outer < j->t.outer; k.box_outer += j->plan.box_outers)
    for (k.box_tile = 0; k.box_tile < j->t.tiles; k.box_tile += j->plan.box_tiles)
      GPR_TRY (run_box (j, &k));
  if (j->called)
    return GPR_OK;
  GPR_TRY (gpr_cuda_drain (j->s));
  j->r->needs_fixup = *(volatile int *) j->s->needs_fixup != 0 && ! (j->settles && *(volatile int *) j->s->left_in_doubt == 0);
  return GPR_OK;
}

/* ---- expressions --------------------------------------------------------------------------- */

bool
gpr_reduce_takes_terms (gpr_reduce_job *j, gpr_reduce_kernels *kernels)
{
  const gpr_reduction *r = j->r;

  if (! j->kernel->dense || ! j->kernel->blocks || r->index || r->y || r->apart)
    return false;
  *kernels = *j->kernel;
  kernels->exact = false;
  kernels->small |= ! kernels->indexed;         /* all can be compiled, but indices by THREAD */
  kernels->exact_rows = kernels->exact_columns = NULL;
  j->kernel = j->problem.kernels = kernels;
  return true;
}

/* How a leaf that lies by its strides does so for a reduction, if its dimensions are whole ones of the expression's.  vector: elements that a thread takes
   together, at most.  */
static gpr_map_lie
lie_of_columns (const gpr_map_args *a, int l, const gpr_reduction *r, int vector)
{
  const int64_t all = r->inner * r->length;
  int64_t before = 1;
  bool begins = false, ends = r->outer == 1, inside = false, along = false, steps = true;       /* inside, along: it has strides in dimensions before, or that are reduced; steps: by one */

  for (int d = 0; d < a->rank; before *= a->dims[d++])
    {
      begins = begins || before == r->inner;
      ends = ends || before == all;
      if (before < r->inner)
        inside = inside || a->strides[l][d] != 0;
      else if (before < all)
        {
          along = along || a->strides[l][d] != 0;
          steps = steps && before == r->inner && a->strides[l][d] == 1;
        }
    }
  if (! begins || ! (ends || before == all))
    return GPR_MAP_STRIDED;
  if (! along)
    return r->inner == 1 ? GPR_MAP_OF_COLUMN : GPR_MAP_OF_COLUMNS;
  if (r->inner == 1)
    return steps ? GPR_MAP_ALONG_COLUMN : GPR_MAP_STRIDED;
  return ! inside && r->inner % vector == 0 ? GPR_MAP_ALONG_COLUMNS : GPR_MAP_STRIDED;
}

bool
gpr_reduce_find_compiled (gpr_reduce_job *j, const gpr_reduce_chunk *k, gpr_terms_args *terms)
{
  const gpr_mapping *m = j->r->terms;
  gpr_source_key key;
  gpr_map_args a;

  gpr_cuda_plan_map (&a, m);
  for (int l = 0; l < m->leaves; l++)
    if (a.lies[l] == GPR_MAP_VECTORS && (uintptr_t) a.x[l] % 16 != 0)
      a.lies[l] = GPR_MAP_STRIDED;
  for (int l = 0; l < m->leaves; l++)
    if (a.lies[l] == GPR_MAP_STRIDED)
      a.lies[l] = lie_of_columns (&a, l, j->r, 16 / (int) gpr_bytes_of (a.z_elem));
  if (! gpr_source_of_map (&key, &a, m->leaves, j->s->capability))
    return false;
  const gpr_reduce_launch l = gpr_reduce_plan_launch (&j->problem, &j->device, &j->plan, k);
  gpr_source_reduces (&key, j->kernel, &l, &j->t);
  if (m->asked)
    {
      *m->asked = gpr_cuda_compiled_state (j->s, &key, a.count);
      return *m->asked != GPR_KERNEL_BUILT;
    }
  j->compiled = gpr_cuda_compiled_for (j->s, &key, a.count);
  if (! j->compiled)
    return false;
  gpr_source_terms (terms, &a, m->leaves);
  j->terms = terms;
  j->compiled_algorithm = l.algorithm;
  j->device.dense_blocks = (int64_t) gpr_cuda_compiled_blocks (j->compiled, l.threads, 0) * j->s->multiprocessors;
  return true;
}

/* All of it is one launch; another merges parts.  */
static bool
is_planned_whole (const gpr_reduce_job *j)
{
  return j->plan.box_outers >= j->t.outer && j->plan.box_tiles >= j->t.tiles && ! j->plan.pieces && ! j->plan.cuts;
}

static bool
find_compiled (gpr_reduce_job *j, gpr_reduce_kernels *kernels, gpr_terms_args *terms)
{
  const gpr_tree *t = &j->t;
  const gpr_reduce_chunk all = { 0, 0, t->inner, t->outer, t->tiles, t->parts, true };

  if (! gpr_reduce_takes_terms (j, kernels))
    return false;
  j->plan = gpr_reduce_plan_make (&j->problem, &j->device, gpr_cuda_room ());
  return is_planned_whole (j) && gpr_reduce_find_compiled (j, &all, terms);
}

gpr_status
gpr_cuda_reduce (gpr_cuda_state *s, gpr_reduction *r)
{
  gpr_reduce_job j;
  gpr_reduce_kernels kernels;
  gpr_terms_args terms;
  gpr_status status;

  s->first_rows_done = false;
  GPR_TRY (gpr_reduce_start (&j, s, r, NULL));
  if (r->terms)
    {
      r->fused = find_compiled (&j, &kernels, &terms);
      if (! r->fused || r->terms->asked)
        return GPR_OK;
    }

  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      j.plan = gpr_reduce_plan_make (&j.problem, &j.device, room);
      if (j.compiled && ! is_planned_whole (&j))        /* in less memory than was planned for: not by this kernel */
        {
          r->fused = false;
          return GPR_OK;
        }
      status = allocate (&j);
      if (status != GPR_OUT_OF_MEMORY || room / 2 < GPR_CUDA_LEAST)
        break;
      gpr_reduce_release (&j);
    }
  if (status == GPR_OK)
    status = run (&j);
  if (! j.called || status != GPR_OK)
    gpr_cuda_finish (j.s);
  gpr_reduce_release (&j);
  return status;
}
