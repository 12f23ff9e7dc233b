/* One reduction.  Its outputs are computed box by box: as many outers, or tiles
   of columns of one outer, as the scratch for partial results allows; for most
   calls one box.  The input of a box comes in chunks, whole units of the tree:
   a resident one in one chunk, a host one in chunks of a slot: some outers,
   or some parts of one, or, where even one part of all columns is too large,
   some tiles of some rows, gathered row by row.  */

#include <stdlib.h>
#include <string.h>

#include "problems.h"
#include "stream.h"
#include "../../kernels/engine/engine.h"
#include "../core/share.h"

typedef struct {
  gpr_reduction *r;
  const gpr_reduce_kernels *kernel;
  gpr_tree t;
  int factors;                  /* arrays that are read: 2 for products */
  gpr_cuda_state *s;
  size_t out_bytes;             /* of an output: value and index */
  size_t partial_bytes;         /* of an output */

  /* The plan.  */
  int64_t box_outers, box_tiles;
  int64_t outers, tiles, parts; /* of a chunk */
  size_t chunk_bytes;
  void *partials, *results;
  int64_t pieces;               /* STREAM: of an output, in place of the tree's parts; else 0 */
  int32_t run;                  /* parts that a block of the box's launch merges as they come */
  bool ticketed;                /* the last block of each launch of the box merges the parts */
  bool called;                  /* it was one launch, whose result came by mailbox */
} job;

static const gpr_reduce_kernels *
find_kernel (enum gpr_instance instance)
{
  const gpr_reduce_kernels *(*const groups[]) (enum gpr_instance) = {
    gpr_engine_sum, gpr_engine_sumsq, gpr_engine_prod, gpr_engine_native,
    gpr_engine_extreme, gpr_engine_arg, gpr_engine_logical, gpr_engine_moments, gpr_engine_norm
  };
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    {
      const gpr_reduce_kernels *k = groups[i] (instance);
      if (k)
        return k;
    }
  return NULL;
}

/* Accumulators of an output that are left to be merged.  */
static int64_t
parts_of (const job *j)
{
  return j->pieces ? j->pieces : gpr_over (j->t.parts, j->run);
}

/* Columns of so many tiles from tile t.  */
static int64_t
columns_of (const job *j, int64_t t, int64_t tiles)
{
  return gpr_min64 (tiles * j->t.columns, j->t.inner - t * j->t.columns);
}

/* ---- plan ------------------------------------------------------------------------------ */

static void
make_plan (job *j, size_t room)
{
  const gpr_tree *t = &j->t;
  size_t scratch = room / 2 < GPR_CUDA_SCRATCH ? room / 2 : GPR_CUDA_SCRATCH;
  size_t per_output = j->partial_bytes + (j->r->out_resident ? 0 : j->out_bytes);
  int64_t outputs = per_output ? (int64_t) (scratch / per_output) : t->inner * t->outer;

  j->box_outers = gpr_max64 (1, gpr_min64 (t->outer, outputs / t->inner));
  j->box_tiles = outputs >= t->inner ? t->tiles : gpr_max64 (1, outputs / t->columns);
  j->outers = j->box_outers;
  j->tiles = j->box_tiles;
  j->parts = t->parts;
  j->chunk_bytes = 0;
  if (j->r->x_resident || t->length == 0)
    return;

  /* A slot's worth; an eighth where the whole would not keep the ring busy.  */
  const int64_t elem = j->kernel->elem_bytes * j->factors, outer_bytes = t->length * t->inner * elem;
  const int64_t part_rows = gpr_min64 (t->rows, t->length);
  int64_t budget = gpr_min64 (GPR_CUDA_CHUNK, gpr_max64 (GPR_CUDA_LEAST, outer_bytes * t->outer / 8));
  budget = gpr_min64 (budget, room / (2 * GPR_CUDA_SLOTS));
  if (j->box_tiles == t->tiles && outer_bytes <= budget)
    {
      j->outers = gpr_min64 (j->box_outers, budget / outer_bytes);
      j->chunk_bytes = j->outers * outer_bytes;
      return;
    }
  int64_t part_bytes = part_rows * columns_of (j, 0, j->box_tiles) * elem;
  j->outers = 1;
  j->parts = gpr_max64 (1, gpr_min64 (t->parts, budget / part_bytes));
  if (part_bytes > budget)
    j->tiles = gpr_max64 (1, gpr_min64 (j->box_tiles, budget / (part_rows * t->columns * elem)));
  j->chunk_bytes = gpr_min64 (j->parts * t->rows, t->length) * columns_of (j, 0, j->tiles) * elem;
}

/* Outputs of a box lie together, the indices first; then the values, aligned
   for every type.  */
static size_t
index_bytes (const job *j, int64_t outputs)
{
  return j->r->index ? (outputs + 1) / 2 * 2 * sizeof (int64_t) : 0;
}

static size_t
results_bytes (const job *j, int64_t outputs)
{
  return index_bytes (j, outputs) + outputs * j->kernel->value_bytes;
}

static gpr_status
allocate (job *j)
{
  int64_t outputs = j->box_outers * columns_of (j, 0, j->box_tiles);
  bool single = j->outers == j->t.outer && j->tiles == j->t.tiles && j->parts == j->t.parts;

  if (j->partial_bytes)
    GPR_TRY (gpr_cuda_take (j->s, &j->partials, outputs * j->partial_bytes));
  if (! j->r->out_resident && results_bytes (j, outputs) > GPR_CUDA_PINNED_RESULTS)
    GPR_TRY (gpr_cuda_take (j->s, &j->results, results_bytes (j, outputs)));
  if (j->chunk_bytes)
    GPR_TRY (gpr_cuda_equip_slots (j->s, single ? 1 : GPR_CUDA_SLOTS, j->chunk_bytes));
  return GPR_OK;
}

static void
release (job *j)
{
  gpr_cuda_give (j->partials);
  gpr_cuda_give (j->results);
  gpr_cuda_strip_slots (j->s);
  j->partials = j->results = NULL;
}

/* ---- launches ---------------------------------------------------------------------------- */

/* A chunk begins at these outer, tile and part; its box at box_outer and
   box_tile, with that many columns and these outputs.  */
typedef struct {
  int64_t box_outer, box_tile, box_columns;
  gpr_reduce_out out;
  int64_t outer, tile, part;
  int64_t outers, tiles, parts;
} chunk;

static bool
is_power_of_2 (int64_t v)
{
  return (v & (v - 1)) == 0;
}

/* Every contiguous row is aligned packs.  */
static bool
whole_packs (const job *j, const void *x, int64_t second)
{
  const int64_t v = j->kernel->vector;
  return j->t.length % v == 0 && ((uintptr_t) x | second) % (uintptr_t) (v * j->kernel->elem_bytes) == 0;
}

/* Rows of a block's lanes that are short for a block, as many as keep the GPU busy; small
   elements only in whole packs.  */
static bool
by_warps (const job *j, bool packs)
{
  const gpr_tree *t = &j->t;
  const int64_t elem = j->kernel->elem_bytes;
  return j->kernel->row_threads && t->inner == 1 && t->parts == 1 && t->lanes == j->kernel->width
         && t->outer >= GPR_WARP_ROWS * (int64_t) j->s->multiprocessors
         && t->length * elem <= (elem >= 4 ? GPR_WARP_BYTES : packs ? GPR_WARP_BYTES_SMALL : 0);
}

/* The algorithm that fits the lanes, the first that does; doc/architecture.md has a table.  */
static gpr_algorithm
choose_algorithm (const job *j, gpr_reduce_args *a)
{
  const gpr_tree *t = &j->t;
  const int v = j->kernel->vector;
  const int64_t unit_lanes = (int64_t) t->lanes * t->columns;
  const bool aligned = a->vector || v == 1, rows = a->row_stride == t->columns || t->lanes == 1;
  const bool binary = rows && is_power_of_2 (unit_lanes) && is_power_of_2 (t->columns);

  if (j->pieces)
    return GPR_ALGORITHM_STREAM;
  if (t->inner == 1 && t->parts == 1 && j->kernel->small)
    {
      /* Rows of up to 8, in whole packs of up to 16 bytes or 8 elements or one by one; longer ones.  */
      const int64_t elem = j->kernel->elem_bytes, pack = gpr_min64 (16, 8 * elem);
      if (t->lanes == 1)
        {
          a->vector = t->length * elem % pack == 0 && ((uintptr_t) a->x | a->second) % pack == 0;
          return GPR_ALGORITHM_THREAD;
        }
      if (t->lanes > 1 && t->lanes <= 64 && t->outer > 1)
        return GPR_ALGORITHM_ROWS;
      const bool packs = whole_packs (j, a->x, a->second);
      if (by_warps (j, packs))
        {
          a->vector = packs;
          return GPR_ALGORITHM_WARPS;
        }
    }
  if (j->kernel->blocks && (j->kernel->merge_warp ? binary && unit_lanes == j->kernel->width
                            : rows && 2 * unit_lanes > j->kernel->width && (aligned || j->kernel->small)))
    return GPR_ALGORITHM_BLOCK;
  if (binary && aligned && t->tiles == 1 && unit_lanes >= v && unit_lanes <= 32 * v && j->kernel->small)
    return GPR_ALGORITHM_GROUP;
  return GPR_ALGORITHM_LANES;
}

/* As many blocks as run at once.  */
static gpr_status
resident_blocks (const job *j, const void *kernel, int64_t *blocks)
{
  const int threads = j->kernel->merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS;
  static struct { const void *kernel; int blocks; } known[2 * GPR_INSTANCE_COUNT];
  int i = 2 * (int) j->r->instance + (kernel == j->kernel->dense), each;
  if (known[i].kernel != kernel)
    {
      GPR_CUDA_TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&each, kernel, threads, 0), "reading a kernel's size");
      known[i].kernel = kernel;
      known[i].blocks = each;
    }
  *blocks = (int64_t) known[i].blocks * j->s->multiprocessors;
  return GPR_OK;
}

/* Several rows, of so few tiles that other algorithms are quicker; where so many blocks run at once
   that some would have a row less than others, of fewer still.  */
static bool
short_for_stream (const job *j, int64_t tile, int64_t blocks)
{
  const int64_t elem = j->kernel->elem_bytes;
  const bool packs = whole_packs (j, j->r->x, 0);
  return by_warps (j, packs) || (j->t.outer > 1 && j->kernel->blocks && (packs || j->kernel->small) && elem >= 4
                                 && j->t.length * elem < (j->t.outer < GPR_STREAM_ROWS * blocks ? GPR_STREAM_TILES_FEW : GPR_STREAM_TILES) * tile);
}

/* Long rows on the device, of reductions that give the same in any order: as many pieces of
   them as keep the GPU busy, all at work at once; who ends last merges them.  Also a single
   short one, where no other algorithm is quick.  */
static gpr_status
choose_pieces (job *j)
{
  const gpr_tree *t = &j->t;
  const int packs = j->kernel->elem_bytes <= 2 ? GPR_TILE_PACKS_SMALL : GPR_TILE_PACKS;
  const int64_t tile = packs * GPR_REDUCE_THREADS * 16;       /* bytes, as gpr_row has it */
  const bool single = t->outer == 1 && t->lanes > 1 && ! j->kernel->small;
  int64_t blocks;
  if (! j->kernel->exact || ! j->kernel->dense || ! j->r->x_resident || t->inner != 1
      || (t->lanes != j->kernel->width && ! single))
    return GPR_OK;
  GPR_TRY (resident_blocks (j, j->kernel->dense, &blocks));
  if (short_for_stream (j, tile, blocks))
    return GPR_OK;
  j->pieces = gpr_max64 (1, gpr_min64 (gpr_over (t->length * j->kernel->elem_bytes, tile), blocks / t->outer));
  return GPR_OK;
}

/* As many as leave enough blocks, and all as busy, or nearly.  */
static int32_t
parts_of_run (int64_t parts, int64_t outputs, int64_t resident)
{
  for (int32_t run = GPR_RUN_PARTS; run > 1; run /= 2)
    {
      const int64_t units = gpr_over (parts, run) * outputs, each = gpr_over (units, resident), blocks = gpr_over (units, each);
      if (run < 2 * parts && 8 * blocks >= 5 * resident && 16 * blocks * each * run <= 17 * parts * outputs)
        return run;
    }
  return 1;
}

/* Relayed: so few that merges come early, so many that one ticket more is for all groups.  */
static int32_t
parts_of_ticket (int64_t parts, int32_t columns)
{
  int64_t together = GPR_TICKET_FEW;
  while (together < GPR_TICKET_PARTS && together / columns * GPR_TICKET_PARTS < parts * columns)
    together *= 2;
  return (int32_t) gpr_max64 (1, together / columns);
}

static gpr_status
launch_parts (job *j, gpr_cuda_slot *slot, const chunk *k, const void *x, int64_t second, int64_t row_stride)
{
  const gpr_tree *t = &j->t;
  const int64_t outer_stride = t->length * t->inner;
  const int v = j->kernel->vector, width = j->kernel->width;
  const int64_t unit_lanes = (int64_t) t->lanes * t->columns;
  const int64_t column = (k->tile - k->box_tile) * t->columns, outer = k->outer - k->box_outer;
  const int64_t first = outer * k->box_columns + column;
  const bool vector = unit_lanes % v == 0 && ((uintptr_t) x | second) % ((uintptr_t) v * j->kernel->elem_bytes) == 0
                      && (t->tiles == 1 || (t->inner % v == 0 && row_stride % v == 0))
                      && (k->outers == 1 || outer_stride % v == 0);
  gpr_reduce_args a = {
    .x = x, .second = second, .row_stride = row_stride, .outer_stride = outer_stride,
    .inner = t->inner, .length = t->length, .rows = (int32_t) t->rows, .run = 1,
    .first_part = k->part, .first_tile = k->tile, .tiles = k->tiles, .outers = k->outers, .by_tiles = 1.0 / k->tiles,
    .out_columns = k->box_columns - column, .out_stride = k->box_columns,
    .lanes = t->lanes, .lanes_log2 = __builtin_ctz (t->lanes),
    .columns = t->columns, .columns_log2 = 31 - __builtin_clz (2 * t->columns - 1),
    .batch = (int32_t) (width / unit_lanes), .vector = vector,
    .out = k->out
  };
  const void *kernel = j->r->y ? j->kernel->dense_of_products : j->kernel->dense;
  int64_t blocks, resident;

  a.algorithm = choose_algorithm (j, &a);
  const bool merge_warp_used = a.algorithm == GPR_ALGORITHM_BLOCK && j->kernel->merge_warp, alone = j->tiles * j->outers == 1;
  if (a.algorithm == GPR_ALGORITHM_BLOCK || a.algorithm == GPR_ALGORITHM_STREAM)
    GPR_TRY (resident_blocks (j, kernel, &resident));
  j->run = 1;
  if (a.algorithm == GPR_ALGORITHM_BLOCK && ! merge_warp_used && gpr_lanes_left (t->lanes, t->columns, width, a.vector ? v : 1) == 1
      && j->r->x_resident && k->out.value)      /* the box is this launch */
    a.run = j->run = parts_of_run (t->parts, k->tiles * k->outers, resident);
  a.all_parts = parts_of (j);
  a.parts = j->pieces || j->run > 1 ? a.all_parts : k->parts;
  a.units = a.parts * k->tiles * k->outers;
  a.by_parts = 1.0 / a.parts;

  a.out.value = (char *) a.out.value + first * j->kernel->value_bytes;
  if (a.out.index)
    a.out.index += first;
  if (j->partials)
    a.partials = (char *) j->partials + (outer * a.all_parts * k->box_columns + column) * j->kernel->acc_bytes;
  switch (a.algorithm)
    {
    case GPR_ALGORITHM_THREAD:
      blocks = gpr_max64 (gpr_over (a.units, GPR_REDUCE_THREADS * GPR_THREAD_OUTPUTS),
                          gpr_min64 (gpr_over (a.units, GPR_REDUCE_THREADS), 2 * j->s->multiprocessors));
      break;
    case GPR_ALGORITHM_ROWS:
      kernel = j->r->y ? j->kernel->lanes_of_products : j->kernel->lanes;
      a.group = t->lanes / (v > 1 && a.vector ? v : 2);
      blocks = gpr_over (a.units * a.group, GPR_REDUCE_THREADS);
      if (blocks > GPR_ROWS_BLOCKS * (int64_t) j->s->multiprocessors)
        blocks = gpr_over (blocks, j->kernel->rows_at_once);
      break;
    case GPR_ALGORITHM_WARPS:
      a.group = a.vector ? j->kernel->row_threads : GPR_ROW_THREADS;
      blocks = gpr_over (a.units * a.group, GPR_REDUCE_THREADS);
      break;
    case GPR_ALGORITHM_GROUP:
      a.group = (int32_t) (unit_lanes / v);
      blocks = gpr_over (a.units * a.group, GPR_REDUCE_THREADS);
      break;
    case GPR_ALGORITHM_LANES:
      kernel = j->r->y ? j->kernel->lanes_of_products : j->kernel->lanes;
      blocks = gpr_over (a.units, a.batch);
      break;
    default:
      blocks = a.units;
      break;
    }
  if (a.algorithm == GPR_ALGORITHM_BLOCK || a.algorithm == GPR_ALGORITHM_STREAM)
    {
      blocks = gpr_evenly (blocks, resident);
      if (a.outers > 1 && a.parts % 2 == 0 && blocks % 2 == 0 && blocks < gpr_min64 (resident, a.units))
        blocks++;               /* and a short last part not always the same ones' */
    }

  /* All launches of a box take tickets, or none does: who takes them may merge into the parts.  A
     block with a warp for merging is never together before its end: it takes one for each part.  */
  if (merge_warp_used)
    a.group = parts_of_ticket (a.all_parts, t->columns);
  const int64_t groups = merge_warp_used ? gpr_over (a.all_parts, a.group) + 1 : 1;
  const bool few = a.parts == a.all_parts && j->tiles * j->outers * groups <= GPR_CUDA_TICKETS
                   && (merge_warp_used ? t->columns <= GPR_TICKET_COLUMNS && (groups - 1) * t->columns <= GPR_TICKET_PARTS
                             : a.all_parts * t->columns <= GPR_TICKETED_PARTS);
  const bool ticketed = k->out.value && a.all_parts > 1
                        && (a.algorithm == GPR_ALGORITHM_STREAM   /* always, and few: choose_pieces */
                            || (few && (a.algorithm == GPR_ALGORITHM_BLOCK || (a.algorithm == GPR_ALGORITHM_GROUP && alone))));
  const int threads = merge_warp_used ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS;
  j->ticketed &= ticketed || a.all_parts == 1;
  if (ticketed)
    a.tickets = j->s->tickets;
  if (a.out.mailbox && (ticketed || a.all_parts == 1) && a.algorithm != GPR_ALGORITHM_LANES)
    {
      j->called = true;
      return gpr_cuda_call (j->s, kernel, blocks, threads, &a, &a.out.call);
    }
  a.out.mailbox = NULL;
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (gpr_cuda_launch (j->s, kernel, blocks, threads, 0, &a));
  return gpr_cuda_end_work (j->s, slot);
}

/* The tree over parts, by a launch of its own: fewer columns a block where there
   would be too few blocks.  */
static gpr_status
launch_merge (const job *j, const chunk *k, int64_t outers)
{
  gpr_reduce_args a = { .algorithm = GPR_ALGORITHM_PARTS, .all_parts = parts_of (j), .outers = outers, .group = GPR_REDUCE_THREADS,
                      .out_columns = k->box_columns, .out_stride = k->box_columns, .partials = j->partials, .out = k->out };
  a.out.mailbox = NULL;
  while (a.group > 1 && (a.group / 2 >= k->box_columns || (a.group > 4 && gpr_over (k->box_columns, a.group) * outers < 4 * j->s->multiprocessors)))
    a.group /= 2;
  return gpr_cuda_launch (j->s, j->kernel->lanes, gpr_over (k->box_columns, a.group) * outers, GPR_REDUCE_THREADS, 0, &a);
}

/* Brings the chunk's input to the device where it is not, and works on it.  */
static gpr_status
run_chunk (job *j, gpr_cuda_slot *slot, const chunk *k)
{
  const gpr_tree *t = &j->t;
  const int64_t row = k->part * t->rows, rows = gpr_min64 (k->parts * t->rows, t->length - row);
  const int64_t column = k->tile * t->columns, columns = columns_of (j, k->tile, k->tiles);
  const size_t elem = j->kernel->elem_bytes, at = (column + t->inner * (row + t->length * k->outer)) * elem;
  const char *x = (const char *) j->r->x + at, *y = j->r->y ? (const char *) j->r->y + at : NULL;
  int64_t row_stride = t->inner, second = y ? y - x : 0;

  if (j->chunk_bytes)
    {
      gpr_cuda_view v[2] = { { (char *) x, columns * elem, t->inner * elem, rows } };
      if (columns == t->inner)
        v[0] = gpr_cuda_bytes (x, (size_t) k->outers * rows * t->inner * elem);
      v[1] = v[0];
      v[1].host = (char *) y;
      GPR_TRY (gpr_cuda_send (j->s, slot, v, j->factors, slot->device));
      x = slot->device;
      if (y)
        second = v[0].segment * v[0].count;
      row_stride = columns;
    }
  return launch_parts (j, slot, k, x, second, row_stride);
}

static gpr_status
run_box (job *j, chunk *k)
{
  const int64_t outers = gpr_min64 (j->box_outers, j->t.outer - k->box_outer);
  const int64_t tiles = gpr_min64 (j->box_tiles, j->t.tiles - k->box_tile);
  gpr_reduction *r = j->r;
  k->box_columns = columns_of (j, k->box_tile, tiles);

  const int64_t outputs = outers * k->box_columns, first = k->box_outer * j->t.inner + k->box_tile * j->t.columns;
  const size_t value_bytes = j->kernel->value_bytes;
  char *value = (char *) r->value + first * value_bytes;
  int64_t *index = r->index ? r->index + first : NULL;
  bool mail = ! r->out_resident && ! j->results;
  gpr_cuda_slot *slot = NULL;

  char *results = mail ? j->s->mail : j->results;
  k->out = (gpr_reduce_out) { value, index, r->divisor, j->s->needs_fixup, NULL, 0 };
  if (mail && ! j->chunk_bytes && outputs == 1)
    k->out.mailbox = j->s->mailbox;
  if (! r->out_resident)
    {
      k->out.index = index ? (int64_t *) results : NULL;
      k->out.value = results + index_bytes (j, outputs);
    }

  j->ticketed = true;
  for (k->outer = k->box_outer; k->outer < k->box_outer + outers; k->outer += k->outers)
    for (k->tile = k->box_tile; k->tile < k->box_tile + tiles; k->tile += k->tiles)
      for (k->part = 0; k->part < j->t.parts; k->part += k->parts)
        {
          k->outers = gpr_min64 (j->outers, k->box_outer + outers - k->outer);
          k->tiles = gpr_min64 (j->tiles, k->box_tile + tiles - k->tile);
          k->parts = gpr_min64 (j->parts, j->t.parts - k->part);
          GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
          GPR_TRY (run_chunk (j, slot, k));
        }
  if (j->partials && ! j->ticketed)
    {
      GPR_TRY (launch_merge (j, k, outers));
      GPR_TRY (gpr_cuda_end_work (j->s, slot));
    }

  if (mail)
    {
      if (j->called)
        return gpr_cuda_await_call (j->s, value, value_bytes, index, &r->needs_fixup);
      GPR_TRY (gpr_cuda_drain (j->s));
      memcpy (value, k->out.value, outputs * value_bytes);
      if (index)
        memcpy (index, k->out.index, outputs * sizeof *index);
    }
  else if (! r->out_resident)
    {
      gpr_cuda_view v = gpr_cuda_bytes (value, outputs * value_bytes), i = gpr_cuda_bytes (index, outputs * sizeof *index);
      GPR_TRY (gpr_cuda_download (j->s, &v, k->out.value));
      if (index)
        GPR_TRY (gpr_cuda_download (j->s, &i, k->out.index));
    }
  return GPR_OK;
}

static gpr_status
run (job *j)
{
  chunk k = { 0 };
  *(volatile int *) j->s->needs_fixup = 0;
  for (k.box_outer = 0; k.box_outer < j->t.outer; k.box_outer += j->box_outers)
    for (k.box_tile = 0; k.box_tile < j->t.tiles; k.box_tile += j->box_tiles)
      GPR_TRY (run_box (j, &k));
  if (j->called)
    return GPR_OK;
  GPR_TRY (gpr_cuda_drain (j->s));
  j->r->needs_fixup = *(volatile int *) j->s->needs_fixup != 0;
  return GPR_OK;
}

gpr_status
gpr_cuda_reduce (gpr_cuda_state *s, gpr_reduction *r)
{
  job j = { .r = r, .s = s, .kernel = find_kernel (r->instance), .factors = r->y ? 2 : 1 };
  gpr_status status;

  if (! j.kernel || (r->y && ! j.kernel->lanes_of_products))
    return gpr_cuda_fail (GPR_UNSUPPORTED, "reduction %d has no kernel", (int) r->instance);
  j.t = gpr_tree_make (j.kernel->acc_bytes, r->inner, r->length, r->outer);
  j.out_bytes = j.kernel->value_bytes + (r->index ? sizeof *r->index : 0);
  GPR_TRY (choose_pieces (&j));
  j.run = 1;
  j.partial_bytes = parts_of (&j) > 1 ? parts_of (&j) * j.kernel->acc_bytes : 0;

  for (size_t room = gpr_cuda_room ();; room /= 2)
    {
      make_plan (&j, room);
      status = allocate (&j);
      if (status != GPR_OUT_OF_MEMORY || room / 2 < GPR_CUDA_LEAST)
        break;
      release (&j);
    }
  if (status == GPR_OK)
    status = run (&j);
  if (! j.called || status != GPR_OK)
    gpr_cuda_finish (j.s);
  release (&j);
  return status;
}

/* ---- a share of a reduction --------------------------------------------------------------- */

/* Units of one box: some parts of an outer, or whole outers.  Returns how many of
   the count from unit on.  */
static int64_t
box_of (const gpr_tree *t, int64_t unit, int64_t count, chunk *k)
{
  k->outer = unit / t->parts;
  k->part = unit % t->parts;
  k->outers = k->part == 0 && count >= t->parts ? count / t->parts : 1;
  k->parts = k->part == 0 && count >= t->parts ? t->parts : gpr_min64 (count, t->parts - k->part);
  k->tiles = 1;
  return k->outers * k->parts;
}

/* From the back, so many units at once that a slot holds them and that the others,
   meanwhile, do not finish first: a quarter of what is left.  Returns, in *end, the
   first unit that was taken.  */
static gpr_status
take_all (job *j, gpr_share *share, chunk *k, int64_t *end)
{
  gpr_cuda_slot *slot;
  int64_t unit, count;

  for (;;)
    {
      GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
      int64_t least = GPR_CUDA_LEAST / share->unit_bytes, most = j->chunk_bytes / share->unit_bytes;
      count = share->take (share, true, gpr_max64 (1, gpr_min64 (most, gpr_max64 (least, share->left / 4))), &unit);
      if (count == 0)
        break;
      *end = unit;
      for (int64_t some; count > 0; unit += some, count -= some)
        {
          some = box_of (&j->t, unit, count, k);
          GPR_TRY (run_chunk (j, slot, k));
          if (some < count)
            GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
        }
    }
  return gpr_cuda_drain (j->s);
}

/* Accumulators of the units from first on, of which those of the first outer are not all ours.  */
static gpr_status
fetch_partials (job *j, gpr_share *share, int64_t first)
{
  const gpr_tree *t = &j->t;
  const size_t acc = j->kernel->acc_bytes, row = t->parts * acc;
  const int64_t outer = first / t->parts, outputs = (t->outer - outer) * t->inner;
  char *copy = malloc (outputs * row), *to = share->partials + outer * t->inner * row;

  if (! copy)
    return gpr_cuda_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", (size_t) outputs * row);
  gpr_cuda_view v = gpr_cuda_bytes (copy, outputs * row);
  gpr_status status = gpr_cuda_download (j->s, &v, (char *) j->partials + outer * t->inner * row);
  /* There [outer][part][column], here [outer][column][part].  */
  for (int64_t unit = first; status == GPR_OK && unit < t->parts * t->outer; unit++)
    for (int64_t c = 0, o = unit / t->parts - outer, p = unit % t->parts; c < t->inner; c++)
      memcpy (to + ((o * t->inner + c) * t->parts + p) * acc, copy + ((o * t->parts + p) * t->inner + c) * acc, acc);
  free (copy);
  return status;
}

static gpr_status
fetch_results (job *j, int64_t outer)
{
  gpr_reduction *r = j->r;
  const int64_t first = outer * r->inner, outputs = (r->outer - outer) * r->inner;
  const size_t bytes = j->kernel->value_bytes;
  const char *values = (char *) j->results + index_bytes (j, r->inner * r->outer);
  gpr_cuda_view v = gpr_cuda_bytes ((char *) r->value + first * bytes, outputs * bytes);
  gpr_cuda_view i = gpr_cuda_bytes (r->index + first, outputs * sizeof *r->index);

  GPR_TRY (gpr_cuda_download (j->s, &v, values + first * bytes));
  return r->index ? gpr_cuda_download (j->s, &i, (int64_t *) j->results + first) : GPR_OK;
}

static gpr_status
run_share (job *j, gpr_share *share)
{
  const int64_t units = j->t.parts * j->t.outer;
  int64_t first = units;
  chunk k = { .box_columns = j->t.inner, .out = { NULL, NULL, j->r->divisor, j->s->needs_fixup } };

  if (j->results)
    {
      k.out.index = j->r->index ? j->results : NULL;
      k.out.value = (char *) j->results + index_bytes (j, j->r->inner * j->r->outer);
    }
  *(volatile int *) j->s->needs_fixup = 0;
  GPR_TRY (take_all (j, share, &k, &first));
  if (*(volatile int *) j->s->needs_fixup)
    share->needs_fixup = true;
  if (first == units)
    return GPR_OK;
  return j->partials ? fetch_partials (j, share, first) : fetch_results (j, first);
}

gpr_status
gpr_cuda_share (gpr_cuda_state *s, gpr_share *share)
{
  gpr_reduction *r = share->r;
  job j = { .r = r, .s = s, .kernel = find_kernel (r->instance), .factors = r->y ? 2 : 1,
            .t = share->tree, .run = 1, .outers = 1, .tiles = 1 };
  const size_t outputs = r->inner * r->outer, most = gpr_cuda_room () / (2 * GPR_CUDA_SLOTS);

  if (! j.kernel || (r->y && ! j.kernel->lanes_of_products))
    return gpr_cuda_fail (GPR_UNSUPPORTED, "reduction %d has no kernel", (int) r->instance);
  /* nvcc aligns complex numbers, the host's compiler does not: a place and its value.  */
  if (share->partials && j.kernel->acc_bytes != share->acc_bytes)
    return GPR_OK;
  j.partial_bytes = share->partials ? j.t.parts * j.kernel->acc_bytes : 0;
  j.chunk_bytes = gpr_max64 (share->unit_bytes, gpr_min64 (most, GPR_CUDA_CHUNK));

  gpr_status status = share->partials ? gpr_cuda_take (j.s, &j.partials, outputs * j.partial_bytes)
                      : gpr_cuda_take (j.s, &j.results, results_bytes (&j, outputs));
  if (status == GPR_OK)
    status = gpr_cuda_equip_slots (j.s, GPR_CUDA_SLOTS, j.chunk_bytes);
  if (status == GPR_OK)
    status = run_share (&j, share);
  gpr_cuda_finish (j.s);
  release (&j);
  return status;
}
