#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "reduce_plan.h"

/* ---- what fits what ---------------------------------------------------------------------- */

static bool
is_power_of_2 (int64_t v)
{
  return (v & (v - 1)) == 0;
}

/* Every contiguous row is whole aligned vectors of so many bytes.  */
static bool
rows_are_vectors (const gpr_reduce_problem *p, uint64_t address, int64_t bytes)
{
  return p->tree.length * p->kernels->elem_bytes % bytes == 0 && address % (uint64_t) bytes == 0;
}

static int64_t
vector_bytes (const gpr_reduce_problem *p)
{
  return (int64_t) p->kernels->vector * p->kernels->elem_bytes;
}

/* Rows of a block's lanes that are short for a block, as many as keep the GPU busy; small
   elements only in whole vectors.  */
static bool
fits_warps (const gpr_reduce_problem *p, const gpr_reduce_device *d, bool vectors)
{
  const gpr_tree *t = &p->tree;
  const int64_t elem = p->kernels->elem_bytes;
  return p->kernels->row_threads && t->inner == 1 && t->parts == 1 && t->lanes == p->kernels->width
         && t->outer >= d->tuning->warp_rows * (int64_t) d->multiprocessors
         && t->length * elem <= (elem >= 4 ? d->tuning->warp_bytes : vectors ? d->tuning->warp_bytes_small : 0);
}

/* A shape that STREAM could take: contiguous rows on the device, of a block's lanes; or a single
   shorter one of an instance that has no other quick algorithm for it.  */
static bool
could_stream (const gpr_reduce_problem *p)
{
  const gpr_tree *t = &p->tree;
  const gpr_reduce_kernels *k = p->kernels;
  const bool single = t->outer == 1 && t->lanes > 1 && ! k->small;
  return k->exact && k->dense && p->x_resident && t->inner == 1 && (t->lanes == k->width || single);
}

bool
gpr_reduce_plan_asks_blocks (const gpr_reduce_problem *p)
{
  const gpr_tree *t = &p->tree;
  return could_stream (p) || (p->kernels->blocks && 2 * (int64_t) t->lanes * t->columns > p->kernels->width);
}

/* Several rows, of so few tiles that other algorithms are quicker; where so many blocks run at once
   that some would have a row less than others, of fewer still.  */
static bool
is_short_for_stream (const gpr_reduce_problem *p, const gpr_reduce_device *d, int64_t tile)
{
  const gpr_tree *t = &p->tree;
  const gpr_tuning *tuning = d->tuning;
  const int64_t elem = p->kernels->elem_bytes;
  const bool vectors = rows_are_vectors (p, p->address, vector_bytes (p));
  const int tiles = t->outer < tuning->stream_rows * d->dense_blocks ? tuning->stream_tiles_few : tuning->stream_tiles;
  return fits_warps (p, d, vectors)
         || (t->outer > 1 && p->kernels->blocks && (vectors || p->kernels->small) && elem >= 4 && t->length * elem < tiles * tile);
}

/* STREAM: as many pieces of each row as keep the GPU busy, all at work at once.  */
static int64_t
choose_pieces (const gpr_reduce_problem *p, const gpr_reduce_device *d)
{
  const int vectors = p->kernels->elem_bytes <= 2 ? GPR_TILE_VECTORS_SMALL : GPR_TILE_VECTORS;
  const int64_t tile = vectors * GPR_REDUCE_THREADS * 16;       /* bytes */
  if (! could_stream (p) || is_short_for_stream (p, d, tile))
    return 0;
  return gpr_max64 (1, gpr_min64 (gpr_over (p->tree.length * p->kernels->elem_bytes, tile), d->dense_blocks / p->tree.outer));
}

/* ---- boxes and chunks ---------------------------------------------------------------------- */

/* A slot's worth of whole units; an eighth of the problem where the whole would not keep the
   ring busy.  */
static void
plan_chunks (gpr_reduce_plan *plan, const gpr_reduce_problem *p, size_t room)
{
  const gpr_tree *t = &p->tree;
  const int64_t elem = p->kernels->elem_bytes * (p->products ? 2 : 1), outer_bytes = t->length * t->inner * elem;
  const int64_t part_rows = gpr_min64 (t->rows, t->length);
  int64_t budget = gpr_min64 (GPR_CUDA_CHUNK, gpr_max64 (GPR_CUDA_LEAST, outer_bytes * t->outer / 8));
  budget = gpr_min64 (budget, room / (2 * GPR_CUDA_SLOTS));
  if (plan->box_tiles == t->tiles && outer_bytes <= budget)
    {
      plan->outers = gpr_min64 (plan->box_outers, budget / outer_bytes);
      plan->chunk_bytes = plan->outers * outer_bytes;
      return;
    }
  const int64_t part_bytes = part_rows * gpr_reduce_columns (t, 0, plan->box_tiles) * elem;
  plan->outers = 1;
  plan->parts = gpr_max64 (1, gpr_min64 (t->parts, budget / part_bytes));
  if (part_bytes > budget)
    plan->tiles = gpr_max64 (1, gpr_min64 (plan->box_tiles, budget / (part_rows * t->columns * elem)));
  plan->chunk_bytes = gpr_min64 (plan->parts * t->rows, t->length) * gpr_reduce_columns (t, 0, plan->tiles) * elem;
}

gpr_reduce_plan
gpr_reduce_plan_make (const gpr_reduce_problem *p, const gpr_reduce_device *d, size_t room)
{
  const gpr_tree *t = &p->tree;
  gpr_reduce_plan plan = { .pieces = choose_pieces (p, d) };
  const int64_t all_parts = plan.pieces ? plan.pieces : t->parts;
  const size_t scratch = room / 2 < GPR_CUDA_SCRATCH ? room / 2 : GPR_CUDA_SCRATCH;
  const size_t out_bytes = p->out_resident ? 0 : p->kernels->value_bytes + (p->index ? sizeof (int64_t) : 0);

  plan.partial_bytes = all_parts > 1 ? all_parts * p->kernels->acc_bytes : 0;
  const size_t per_output = plan.partial_bytes + out_bytes;
  const int64_t outputs = per_output ? (int64_t) (scratch / per_output) : t->inner * t->outer;
  plan.box_outers = gpr_max64 (1, gpr_min64 (t->outer, outputs / t->inner));
  plan.box_tiles = outputs >= t->inner ? t->tiles : gpr_max64 (1, outputs / t->columns);
  plan.outers = plan.box_outers;
  plan.tiles = plan.box_tiles;
  plan.parts = t->parts;
  if (! p->x_resident && t->length > 0)
    plan_chunks (&plan, p, room);
  return plan;
}

/* ---- the algorithm of a launch ------------------------------------------------------------- */

/* The first that fits.  */
static void
choose_algorithm (gpr_reduce_launch *l, const gpr_reduce_problem *p, const gpr_reduce_device *d, const gpr_reduce_plan *plan,
                  const gpr_reduce_chunk *k, bool vector)
{
#define CHOOSE(name, reason) do { l->algorithm = GPR_ALGORITHM_##name; l->why = reason; return; } while (0)
  const gpr_tree *t = &p->tree;
  const gpr_reduce_kernels *kernels = p->kernels;
  const int v = kernels->vector;
  const int64_t unit_lanes = (int64_t) t->lanes * t->columns;
  const uint64_t address = k->address | (uint64_t) k->second;
  const bool aligned = vector || v == 1, rows = k->row_stride == t->columns || t->lanes == 1;
  const bool binary = rows && is_power_of_2 (unit_lanes) && is_power_of_2 (t->columns);
  /* Many short columns of wide accumulators: by shuffles all threads would merge where one has to.  */
  const bool wide = kernels->merge_warp && t->parts == 1 && t->outer > 1;

  if (plan->pieces)
    CHOOSE (STREAM, "rows on the device, long for a block, of an operator that any order suits");
  if (t->inner == 1 && t->parts == 1 && kernels->small)
    {
      if (t->lanes == 1)
        {
          /* Whole vectors of up to 16 bytes or 8 elements.  */
          l->own.thread.vector = rows_are_vectors (p, address, gpr_min64 (16, 8 * kernels->elem_bytes));
          CHOOSE (THREAD, "contiguous rows of up to 8 elements");
        }
      if (t->lanes <= 64 && t->outer > 1 && ! wide)
        {
          l->own.rows.vector = vector;
          CHOOSE (ROWS, "several contiguous rows of few lanes, in one part");
        }
      const bool vectors = rows_are_vectors (p, address, vector_bytes (p));
      if (fits_warps (p, d, vectors))
        {
          l->own.rows.vector = vectors;
          CHOOSE (WARPS, "many contiguous rows in one part, short for a block");
        }
    }
  if (kernels->blocks && kernels->merge_warp && binary && unit_lanes == kernels->width && (t->lanes > 1 || t->parts > 1))
    {
      l->merge_warp = true;
      CHOOSE (BLOCK, "a part's lanes are a block's, and wide accumulators a warp's to merge");
    }
  if (kernels->blocks && ! kernels->merge_warp && rows && 2 * unit_lanes > kernels->width && (aligned || kernels->small))
    {
      l->own.block = (gpr_block_args) { 1, vector };
      CHOOSE (BLOCK, "a part's lanes are more than half a block's");
    }
  if (binary && aligned && t->tiles == 1 && unit_lanes >= v && unit_lanes <= 32 * v && kernels->small && ! wide)
    {
      l->own.group.threads = (int32_t) (unit_lanes / v);
      CHOOSE (GROUP, "a part's lanes are a warp's or fewer, a power of two of them");
    }
  l->own.lanes = (gpr_lanes_args) { (int32_t) (kernels->width / unit_lanes), vector };
  CHOOSE (LANES, "no other algorithm fits");
#undef CHOOSE
}

/* As many parts as leave enough blocks, and all as busy, or nearly.  */
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

/* With a merge warp: so few that merges come early, so many that one ticket more is for all groups.  */
static int32_t
parts_of_ticket (const gpr_tuning *tuning, int64_t parts, int32_t columns)
{
  int64_t together = tuning->ticket_few;
  while (together < GPR_TICKET_PARTS && together / columns * GPR_TICKET_PARTS < parts * columns)
    together *= 2;
  return (int32_t) gpr_max64 (1, together / columns);
}

/* Blocks of BLOCK and STREAM run all at once, each with as many units, or nearly.  */
static int64_t
even_blocks (const gpr_reduce_launch *l, int64_t outers, int64_t resident)
{
  const int64_t blocks = gpr_evenly (l->units, resident);
  /* Odd, so that a short last part is not always the same blocks'.  */
  return blocks + (outers > 1 && l->parts % 2 == 0 && blocks % 2 == 0 && blocks < gpr_min64 (resident, l->units));
}

static int64_t
choose_blocks (const gpr_reduce_launch *l, const gpr_reduce_problem *p, const gpr_reduce_device *d, int64_t outers)
{
  const int v = p->kernels->vector, T = GPR_REDUCE_THREADS;
  int64_t blocks;
  switch (l->algorithm)
    {
    case GPR_ALGORITHM_THREAD:
      return gpr_max64 (gpr_over (l->units, T * GPR_THREAD_OUTPUTS),
                        gpr_min64 (gpr_over (l->units, T), d->tuning->thread_blocks * d->multiprocessors));
    case GPR_ALGORITHM_ROWS:
      blocks = gpr_over (l->units * (p->tree.lanes / (v > 1 && l->own.rows.vector ? v : 2)), T);
      return blocks > d->tuning->rows_blocks * (int64_t) d->multiprocessors ? gpr_over (blocks, p->kernels->rows_at_once) : blocks;
    case GPR_ALGORITHM_WARPS:
      return gpr_over (l->units * (l->own.rows.vector ? p->kernels->row_threads : GPR_ROW_THREADS), T);
    case GPR_ALGORITHM_GROUP:
      return gpr_over (l->units * l->own.group.threads, T);
    case GPR_ALGORITHM_LANES:
      return gpr_over (l->units, l->own.lanes.units);
    default:
      return even_blocks (l, outers, d->dense_blocks);
    }
}

/* All launches of a box take tickets, or none does: who takes them may merge into the parts.  */
static bool
takes_tickets (const gpr_reduce_launch *l, const gpr_reduce_problem *p, const gpr_reduce_device *d, const gpr_reduce_plan *plan)
{
  const int64_t columns = p->tree.columns, outputs = plan->tiles * plan->outers;
  if (l->algorithm == GPR_ALGORITHM_STREAM)
    return true;                /* its pieces are few */
  if (l->parts != l->all_parts)
    return false;
  if (l->merge_warp)
    {
      const int64_t groups = gpr_over (l->all_parts, l->own.merge_warp.ticket_parts);
      return outputs * (groups + 1) <= GPR_CUDA_TICKETS && columns <= d->tuning->ticket_columns && groups * columns <= GPR_TICKET_PARTS;
    }
  return outputs <= GPR_CUDA_TICKETS && l->all_parts * columns <= d->tuning->ticketed_parts
         && (l->algorithm == GPR_ALGORITHM_BLOCK || (l->algorithm == GPR_ALGORITHM_GROUP && outputs == 1));
}

gpr_reduce_launch
gpr_reduce_plan_launch (const gpr_reduce_problem *p, const gpr_reduce_device *d, const gpr_reduce_plan *plan, const gpr_reduce_chunk *k)
{
  const gpr_tree *t = &p->tree;
  const int v = p->kernels->vector;
  const uint64_t address = k->address | (uint64_t) k->second;
  const bool vector = (int64_t) t->lanes * t->columns % v == 0 && address % (uint64_t) vector_bytes (p) == 0
                      && (t->tiles == 1 || (t->inner % v == 0 && k->row_stride % v == 0))
                      && (k->outers == 1 || t->length * t->inner % v == 0);
  gpr_reduce_launch l = { 0 };
  int32_t run = 1;

  choose_algorithm (&l, p, d, plan, k, vector);
  l.dense = l.algorithm != GPR_ALGORITHM_LANES && l.algorithm != GPR_ALGORITHM_ROWS;
  l.threads = l.merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS;
  if (l.algorithm == GPR_ALGORITHM_BLOCK && ! l.merge_warp)
    {
      /* A run's parts are one: only where the box is this launch.  */
      if (gpr_lanes_left (t->lanes, t->columns, p->kernels->width, vector ? v : 1) == 1 && p->x_resident && k->finishes)
        run = parts_of_run (t->parts, k->tiles * k->outers, d->dense_blocks);
      l.own.block.run = run;
    }
  l.all_parts = plan->pieces ? plan->pieces : gpr_over (t->parts, run);
  l.parts = plan->pieces || run > 1 ? l.all_parts : k->parts;
  l.units = l.parts * k->tiles * k->outers;
  if (l.merge_warp)
    l.own.merge_warp.ticket_parts = parts_of_ticket (d->tuning, l.all_parts, t->columns);
  l.blocks = choose_blocks (&l, p, d, k->outers);
  l.ticketed = k->finishes && l.all_parts > 1 && takes_tickets (&l, p, d, plan);
  l.mails = (l.ticketed || l.all_parts == 1) && l.algorithm != GPR_ALGORITHM_LANES;
  return l;
}

gpr_reduce_launch
gpr_reduce_plan_merge (const gpr_reduce_device *d, int64_t all_parts, int64_t columns, int64_t outers)
{
  const int64_t least = d->tuning->merge_blocks * (int64_t) d->multiprocessors;
  int32_t each = GPR_REDUCE_THREADS;
  while (each > 1 && (each / 2 >= columns || (each > 4 && gpr_over (columns, each) * outers < least)))
    each /= 2;
  return (gpr_reduce_launch) { .algorithm = GPR_ALGORITHM_PARTS, .own.parts.columns = each, .all_parts = all_parts,
                               .blocks = gpr_over (columns, each) * outers, .threads = GPR_REDUCE_THREADS,
                               .why = "parts are too many for the last block, or come from several launches" };
}

/* ---- why ---------------------------------------------------------------------------------- */

static void
append (char *text, size_t size, const char *format, int64_t value)
{
  const size_t used = strlen (text);
  snprintf (text + used, size - used, format, (long long) value);
}

void
gpr_reduce_plan_explain (const gpr_reduce_problem *p, const gpr_reduce_plan *plan, const gpr_reduce_launch *l, char *text, size_t size)
{
  static const char *const names[GPR_ALGORITHMS] = { "LANES", "BLOCK", "GROUP", "ROWS", "WARPS", "THREAD", "STREAM", "PARTS" };
  const gpr_tree *t = &p->tree;
  snprintf (text, size, "%s, %s: %lld x %lld x %lld, %lld parts of %d lanes by %d columns; %lld blocks of %d threads for %lld units",
            names[l->algorithm], l->why, (long long) t->inner, (long long) t->length, (long long) t->outer, (long long) t->parts,
            (int) t->lanes, (int) t->columns, (long long) l->blocks, l->threads, (long long) l->units);
  if (plan->pieces)
    append (text, size, ", %lld pieces a row", plan->pieces);
  if (l->algorithm == GPR_ALGORITHM_BLOCK && ! l->merge_warp && l->own.block.run > 1)
    append (text, size, ", runs of %lld parts", l->own.block.run);
  if (l->all_parts > 1 && l->algorithm != GPR_ALGORITHM_PARTS)
    append (text, size, l->ticketed ? ", the last block merges %lld parts" : ", %lld parts merge in another launch", l->all_parts);
  if (plan->chunk_bytes)
    append (text, size, ", chunks of %lld bytes", (int64_t) plan->chunk_bytes);
}
