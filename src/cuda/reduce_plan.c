#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "reduce_plan.h"

enum {
  THREAD_ROWS = 32,             /* of a column of several lanes that one thread takes, */
  THREAD_ROWS_FEW = 50,         /* the same where columns are too few for COLUMNS, */
  THREAD_ROWS_WIDE = 128,       /* the same with a wide accumulator, */
  COLUMNS_LEAST = 32,           /* that COLUMNS takes, */
  ROWS_OF_WARP = 16,            /* and of what a warp of it takes, at least */
  DENSE_BLOCKS = 2,             /* of a multiprocessor that run at once, about: what a compiled kernel leaves room for is not known before it is, and must not choose another */
  THREADS_OF_COLUMNS = 512,     /* where there are so many columns for each multiprocessor */
  PARTS_OF_THREAD = 16          /* that PARTS has a thread merge, about, where it can; 40 columns of 2442 parts of bytes by 32 columns a block 64 us */
};

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
  return p->kernels->small && p->kernels->row_threads && t->inner == 1 && t->parts == 1 && t->lanes == p->kernels->width
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

/* ---- EXACT_ROWS, EXACT_COLUMNS -------------------------------------------------------------- */

/* What STREAM does not take, on the device, of extremes with an index, of extremes of small integers, any and all; but rows of up to 8 elements are THREAD's,
   if the operator has it (GPR_COMMON).  Rows are counted in 32 bits; a single result goes by mailbox.  */
static bool
fits_exact (const gpr_reduce_problem *p)
{
  const gpr_tree *t = &p->tree;
  return p->kernels->exact_rows && p->x_resident && t->length > 0 && t->length < UINT32_MAX && t->inner * t->outer > 1
         && (t->inner > 1 || (t->length <= GPR_EXACT_ROW && ! (t->lanes == 1 && p->kernels->small)));
}

/* So many threads a row that each has one batch of loads of it, as far as a warp goes.  */
static gpr_exact_rows_args
lay_out_exact_rows (const gpr_reduce_problem *p, uint64_t address)
{
  const int elem = p->kernels->elem_bytes;
  int v = p->kernels->rows_vector;
  gpr_exact_rows_args own = { 1, rows_are_vectors (p, address, v * elem) };
  if (! own.vector)
    v = p->kernels->ragged_vector;
  const int64_t length = own.vector ? p->tree.length : p->tree.length + v - 1;
  while (own.threads < 32 && own.threads * (int64_t) GPR_EXACT_ROWS_LOADS (elem, v) * v < length)
    own.threads *= 2;
  return own;
}

static int
exact_rows_at_once (const gpr_reduce_problem *p, const gpr_exact_rows_args *own)
{
  const int elem = p->kernels->elem_bytes;
  return elem > 4 || (elem == 4 && ! own->vector) || own->threads == 32 ? GPR_EXACT_ROWS_AT_ONCE_WIDE : GPR_EXACT_ROWS_AT_ONCE;
}

/* Lanes are elements as they lie, so many a thread; columns: of an outer, all or those of some tiles.  Several outers
   (units) are a block's only where no rows are cut.  The number of threads is that of which least are idle.  */
static gpr_exact_columns_args
lay_out_exact_columns (const gpr_reduce_problem *p, const gpr_reduce_device *d, uint64_t address, int64_t columns, int64_t outers, int64_t cuts,
                       int *threads)
{
  const gpr_tree *t = &p->tree;
  const int elem = p->kernels->elem_bytes, most = GPR_EXACT_COLUMNS_THREADS, half = GPR_REDUCE_THREADS;
  const int64_t lane_rows = gpr_max64 (1, t->length / gpr_max64 (1, cuts) / d->tuning->exact_lane_rows);
  gpr_exact_columns_args best = { .lanes = 1, .units = 1, .tiles = 1 };
  int best_used = -1;

  for (int v = p->kernels->columns_vector; v >= 1 && best_used < 0; v = v > 1 ? 1 : 0)
    {
      if (address % (uint64_t) (v * elem) != 0 || (outers > 1 && t->length * t->inner % v != 0))
        continue;
      const int64_t across = gpr_over (columns, v);     /* threads of a row of all columns */
      best.vector = v > 1;
      if (across > most || columns < t->inner)
        {
          if (t->inner % v != 0 || columns % v != 0)
            continue;
          best.tiles = gpr_over (across, half);
          best.width = (int32_t) gpr_over (across, best.tiles) * v;
          best.tiles = gpr_over (columns, best.width);
          *threads = gpr_max64 (half, gpr_over (best.width / v, 32) * 32);
          break;
        }
      /* Lanes that are whole vectors together.  */
      int together = 1;
      while (together * t->inner % v != 0)
        together *= 2;
      for (int T = half; T <= most; T += 32)
        {
          int64_t lanes = gpr_min64 ((int64_t) T * v / columns, gpr_max64 (lane_rows, together)), units = 1;
          lanes -= lanes % together;
          if (lanes < 1)
            continue;
          const int64_t unit_threads = lanes * columns / v;
          if (cuts <= 1)
            units = gpr_max64 (1, gpr_min64 (T / unit_threads, outers / (GPR_EXACT_BLOCKS * (int64_t) d->multiprocessors)));
          const int used = (int) (units * unit_threads * 1024 / T);
          if (used > best_used)
            {
              best_used = used;
              best.lanes = (int32_t) lanes;
              best.width = (int32_t) columns;
              best.units = (int32_t) units;
              *threads = T;
            }
        }
    }
  best.by_tiles = 1.0 / best.tiles;
  best.rows = (int32_t) (gpr_over (gpr_over (t->length, gpr_max64 (1, cuts)), best.lanes) * best.lanes);
  return best;
}

/* Rows of a part: 32 bits count them, and of elements of 2 bytes 16 bits the steps of a lane.  Boxes that are not
   aligned may have an eighth of the lanes.  */
static int64_t
most_rows (const gpr_reduce_problem *p, int64_t lanes)
{
  return gpr_min64 (1 << 30, (p->kernels->elem_bytes == 2 ? 0xffff / 8 : (1 << 24) / 8) * lanes);
}

/* Rows of slabs are cut where blocks are few, into the fewest parts of which the blocks at work at
   once take as many each, or nearly; at least as many as steps can be counted.  */
static int64_t
choose_cuts (const gpr_reduce_problem *p, const gpr_reduce_device *d)
{
  const gpr_tree *t = &p->tree;
  int threads;
  if (! fits_exact (p))
    return 0;
  if (t->inner == 1)
    return 1;
  const gpr_exact_columns_args own = lay_out_exact_columns (p, d, p->address, t->inner, t->outer, 1, &threads);
  const int64_t units = gpr_over (own.tiles * t->outer, own.units), resident = GPR_EXACT_BLOCKS * GPR_EXACT_COLUMNS_THREADS / threads * (int64_t) d->multiprocessors;
  const int64_t least = gpr_over (t->length, most_rows (p, own.lanes));
  const int64_t most = gpr_min64 (t->length / (own.lanes * (int64_t) d->tuning->exact_part_rows), gpr_over (d->tuning->exact_waves * resident, units));
  int64_t best = least, best_even = 0;
  if (own.tiles * t->outer > GPR_CUDA_TICKETS)
    return least == 1 ? 1 : 0;
  for (int64_t cuts = least; cuts <= most || cuts == least; cuts++)
    {
      const int64_t each = gpr_over (units * cuts, resident), even = 1024 * units * cuts / (each * resident);    /* of 1024, those at work */
      if (even > best_even)
        {
          best = cuts;
          best_even = even;
        }
      if (even >= 1000)
        break;
    }
  return best;
}

/* ---- boxes and chunks ---------------------------------------------------------------------- */

/* A slot's worth of whole units; half of a smaller problem, so that one half is copied while the other comes.  */
static void
plan_chunks (gpr_reduce_plan *plan, const gpr_reduce_problem *p, size_t room)
{
  const gpr_tree *t = &p->tree;
  const int64_t elem = p->kernels->elem_bytes * (p->products ? 2 : 1), outer_bytes = t->length * t->inner * elem;
  const int64_t part_rows = gpr_min64 (t->rows, t->length);
  int64_t budget = gpr_min64 (GPR_CUDA_CHUNK, gpr_max64 (GPR_CUDA_WHOLE, outer_bytes * t->outer / 2));
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
  if (! plan.pieces)
    plan.cuts = choose_cuts (p, d);
  const int64_t all_parts = plan.pieces ? plan.pieces : plan.cuts ? plan.cuts : t->parts;
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

/* ---- COLUMNS --------------------------------------------------------------------------------- */

/* Whether COLUMNS, of which a share of the threads works, is quicker than BLOCK or LANES (bench/results/columns-h200.md).  */
static bool
suits_columns (const gpr_reduce_problem *p, const gpr_reduce_device *d, const gpr_reduce_chunk *k, double at_work)
{
  const gpr_tree *t = &p->tree;
  const int elem = p->kernels->elem_bytes;
  const double of_block = (double) t->inner * t->lanes / ((double) t->tiles * p->kernels->width);

  if (p->kernels->merge_warp)
    return elem <= 4 || (at_work >= 0.75 && (t->length >= 512 || t->lanes > 1 || (t->length <= 32 && t->columns < p->kernels->width)));
  if (elem <= 2)
    return true;
  if (t->lanes == 1)
    return t->length >= 128 && (of_block < 0.9 || (t->parts > 1 && parts_of_run (t->parts, k->tiles * k->outers, DENSE_BLOCKS * (int64_t) d->multiprocessors) == 1));
  return p->kernels->acc_bytes > 8 || at_work > of_block || (elem == 4 && at_work == of_block && t->inner > 64 && t->length >= 32 * t->lanes);
}

/* Slabs on the device.  */
static bool
lay_out_columns (gpr_reduce_launch *l, const gpr_reduce_problem *p, const gpr_reduce_device *d, const gpr_reduce_chunk *k)
{
  const gpr_tree *t = &p->tree;
  const int elem = p->kernels->elem_bytes, most = GPR_COLUMNS_VECTOR (elem);
  const uint64_t address = k->address | (uint64_t) k->second;
  const bool vector = most > 1 && t->inner % most == 0 && k->row_stride % most == 0 && address % (uint64_t) (most * elem) == 0;
  const int64_t wide = 32 * (vector ? most : 1), across = gpr_over (t->inner, wide), room = p->kernels->width / wide / t->lanes;
  int32_t run = 1;

  if (! p->kernels->columns || ! p->x_resident || ! k->finishes || k->tiles != t->tiles || t->length <= 8 || t->inner < COLUMNS_LEAST || room < 1
      || ! suits_columns (p, d, k, (double) t->inner / (across * wide)))
    return false;
  while (2 * run <= room && run < t->parts)
    run *= 2;
  const int64_t lanes = t->lanes * gpr_min64 (run, t->parts), rows = gpr_min64 (run * t->rows, t->length);
  l->own.columns = (gpr_columns_args) { run, vector, across, 1.0 / across };
  l->units = gpr_over (t->parts, run) * across * k->outers;
  l->threads = 32 * (int) gpr_max64 (1, gpr_min64 (GPR_REDUCE_THREADS / 32, gpr_min64 (lanes, rows / ROWS_OF_WARP)));
  return true;
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

  if (plan->pieces)
    CHOOSE (STREAM, "rows on the device, long for a block, of an operator that any order suits");
  if (plan->cuts && t->inner == 1)
    {
      l->own.exact_rows = lay_out_exact_rows (p, address);
      CHOOSE (EXACT_ROWS, "rows on the device, short, of an operator that any order suits");
    }
  if (plan->cuts)
    {
      l->own.exact_columns = lay_out_exact_columns (p, d, address, gpr_min64 (t->inner, k->tiles * t->columns), k->outers, plan->cuts, &l->threads);
      if (t->length <= 8 && t->inner >= 32 && plan->cuts == 1 && k->tiles == t->tiles)
        {
          gpr_exact_columns_args *own = &l->own.exact_columns;
          const int v = kernels->columns_vector;
          own->few = true;
          own->vector = v > 1 && t->inner % v == 0 && address % (uint64_t) (v * kernels->elem_bytes) == 0;
          own->by_tiles = 1.0 * (own->vector ? v : 1) / t->inner;
          own->units = GPR_REDUCE_THREADS * GPR_FEW_AT_ONCE ((own->vector ? v : 1) * kernels->elem_bytes, kernels->value_bytes);
          l->units = k->outers * t->inner / (own->vector ? v : 1);
          l->threads = GPR_REDUCE_THREADS;
          CHOOSE (EXACT_COLUMNS, "columns of up to 8 elements, of an operator that any order suits");
        }
      CHOOSE (EXACT_COLUMNS, "slabs on the device, of an operator that any order suits");
    }
  if (t->inner == 1 && t->lanes == 1 && t->parts == 1 && kernels->small)
    {
      /* Whole vectors of up to 16 bytes or 8 elements.  */
      l->own.thread.vector = rows_are_vectors (p, address, gpr_min64 (16, 8 * kernels->elem_bytes));
      CHOOSE (THREAD, "contiguous rows of up to 8 elements");
    }
  if (t->inner == 1 && t->parts == 1 && kernels->small)
    {
      if (t->lanes <= 64 && t->outer > 1)
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
  const int rows_of_thread = kernels->merge_warp ? THREAD_ROWS_WIDE : t->inner < COLUMNS_LEAST ? THREAD_ROWS_FEW : THREAD_ROWS;
  const bool of_threads = kernels->small && t->inner > 1 && t->lanes > 1 && t->lanes <= 8 && t->length <= rows_of_thread && t->parts == 1
                          && p->x_resident && k->finishes && k->tiles == t->tiles && k->outers * t->inner >= THREADS_OF_COLUMNS * (int64_t) d->multiprocessors;
  if (! (of_threads && ! kernels->merge_warp) && lay_out_columns (l, p, d, k))
    CHOOSE (COLUMNS, "slabs on the device, for which blocks of BLOCK or LANES are slower");
  if (of_threads)
    {
      l->units = k->outers * t->inner;
      l->own.thread.by_across = 1.0 / t->inner;
      CHOOSE (THREAD, "many short columns, of few lanes");
    }
  if (kernels->small && t->inner >= (kernels->merge_warp ? 2 : 32) && t->length <= 8 && t->parts == 1 && p->x_resident && k->finishes && k->tiles == t->tiles)
    {
      const int64_t v = GPR_SHORT_COLUMNS (kernels->elem_bytes);
      l->own.thread.vector = v > 1 && t->inner % v == 0 && address % (uint64_t) (v * kernels->elem_bytes) == 0;
      l->units = k->outers * t->inner / (l->own.thread.vector ? v : 1);
      l->own.thread.by_across = 1.0 * k->outers / l->units;
      CHOOSE (THREAD, "columns of up to 8 elements");
    }
  if (kernels->blocks && kernels->merge_warp && binary && unit_lanes == kernels->width)
    {
      l->merge_warp = true;
      CHOOSE (BLOCK, "a part's lanes are a block's, and wide accumulators a warp's to merge");
    }
  if (kernels->blocks && ! kernels->merge_warp && rows && 2 * unit_lanes > kernels->width && (aligned || kernels->small))
    {
      l->own.block = (gpr_block_args) { 1, vector };
      CHOOSE (BLOCK, "a part's lanes are more than half a block's");
    }
  if (binary && aligned && t->tiles == 1 && unit_lanes >= v && unit_lanes <= 32 * v && kernels->small)
    {
      l->own.group.threads = (int32_t) (unit_lanes / v);
      CHOOSE (GROUP, "a part's lanes are a warp's or fewer, a power of two of them");
    }
  l->own.lanes = (gpr_lanes_args) { (int32_t) (kernels->width / unit_lanes), vector };
  CHOOSE (LANES, "no other algorithm fits");
#undef CHOOSE
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
      if (p->tree.inner > 1)
        return gpr_over (l->units, 2 * T);
      return gpr_max64 (gpr_over (l->units, T * GPR_THREAD_OUTPUTS),
                        gpr_min64 (gpr_over (l->units, T), d->tuning->thread_blocks * d->multiprocessors));
    case GPR_ALGORITHM_ROWS:
      blocks = gpr_over (l->units * (p->tree.lanes / (v > 1 && l->own.rows.vector ? v : 2)), T);
      return blocks > d->tuning->rows_blocks * (int64_t) d->multiprocessors ? gpr_over (blocks, p->kernels->rows_at_once) : blocks;
    case GPR_ALGORITHM_WARPS:
      return gpr_over (l->units * (l->own.rows.vector ? p->kernels->row_threads : GPR_ROW_THREADS), T);
    case GPR_ALGORITHM_GROUP:
      return gpr_over (l->units * l->own.group.threads, T);
    case GPR_ALGORITHM_COLUMNS:
      return l->units;
    case GPR_ALGORITHM_LANES:
      return gpr_over (l->units, l->own.lanes.units);
    case GPR_ALGORITHM_EXACT_ROWS:
      return gpr_over (l->units * l->own.exact_rows.threads, T * exact_rows_at_once (p, &l->own.exact_rows));
    case GPR_ALGORITHM_EXACT_COLUMNS:
      return gpr_over (l->units, l->own.exact_columns.units);
    case GPR_ALGORITHM_BLOCK:
      /* Single elements keep no block busy all the time: the next one is at hand.  */
      if (p->tree.inner > 1 && ! l->merge_warp && ! l->own.block.vector)
        return gpr_min64 (l->units, d->tuning->odd_blocks * d->dense_blocks);
      return even_blocks (l, outers, d->dense_blocks);
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
  if (l->exact)
    return l->all_parts * l->own.exact_columns.width <= GPR_EXACT_TICKETED;
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
  gpr_reduce_launch l = { .threads = GPR_REDUCE_THREADS };
  int32_t run = 1;

  choose_algorithm (&l, p, d, plan, k, vector);
  l.exact = l.algorithm == GPR_ALGORITHM_EXACT_ROWS || l.algorithm == GPR_ALGORITHM_EXACT_COLUMNS;
  l.short_columns = l.algorithm == GPR_ALGORITHM_THREAD && t->inner > 1 && t->lanes == 1;
  const bool lanes_of_thread = l.algorithm == GPR_ALGORITHM_THREAD && t->lanes > 1 && ! GPR_DENSE_LANES (t->lanes, p->kernels->elem_bytes, p->kernels->merge_warp);
  l.dense = ! l.exact && ! lanes_of_thread && l.algorithm != GPR_ALGORITHM_LANES && l.algorithm != GPR_ALGORITHM_COLUMNS && l.algorithm != GPR_ALGORITHM_ROWS && ! l.short_columns;
  if (l.merge_warp)
    l.threads = GPR_MERGE_WARP_THREADS;
  /* A lane a thread: none for what no lane is, so that more blocks fit.  */
  if (l.algorithm == GPR_ALGORITHM_LANES && p->kernels->width == GPR_REDUCE_THREADS)
    l.threads = (int) (gpr_over (gpr_min64 (l.own.lanes.units, k->parts * k->tiles * k->outers) * t->lanes * t->columns, 32) * 32);
  if (l.algorithm == GPR_ALGORITHM_BLOCK && ! l.merge_warp)
    {
      /* A run's parts are one: only where the box is this launch.  */
      if (gpr_lanes_left (t->lanes, t->columns, p->kernels->width, vector ? v : 1) == 1 && p->x_resident && k->finishes)
        run = parts_of_run (t->parts, k->tiles * k->outers, d->dense_blocks);
      l.own.block.run = run;
    }
  if (l.algorithm == GPR_ALGORITHM_COLUMNS)
    run = l.own.columns.run;
  l.all_parts = plan->pieces ? plan->pieces : plan->cuts ? plan->cuts : gpr_over (t->parts, run);
  l.parts = plan->pieces || plan->cuts || run > 1 ? l.all_parts : k->parts;
  if (! l.units)
    l.units = l.parts * (l.algorithm == GPR_ALGORITHM_EXACT_COLUMNS ? l.own.exact_columns.tiles : k->tiles) * k->outers;
  if (l.merge_warp)
    l.own.merge_warp.ticket_parts = parts_of_ticket (d->tuning, l.all_parts, t->columns);
  l.blocks = choose_blocks (&l, p, d, k->outers);
  l.ticketed = k->finishes && l.all_parts > 1 && takes_tickets (&l, p, d, plan);
  l.mails = l.ticketed || l.all_parts == 1;
  return l;
}

gpr_reduce_launch
gpr_reduce_plan_merge (const gpr_reduce_device *d, int acc_bytes, int64_t all_parts, int64_t columns, int64_t outers)
{
  const int64_t least = d->tuning->merge_blocks * (int64_t) d->multiprocessors;
  const int sector = 32 / acc_bytes;    /* columns that come from memory together */
  int32_t each = GPR_REDUCE_THREADS;
  while (each > 1 && (each / 2 >= columns || (each > sector && gpr_over (columns, each) * outers < least)))
    each /= 2;
  /* Few columns of many parts: bytes that are read in vain are nothing beside a thread's turns, one after the other.  */
  while (each > 1 && gpr_over (columns, each) * outers < d->multiprocessors && all_parts * each > PARTS_OF_THREAD * GPR_REDUCE_THREADS)
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
  static const char *const names[GPR_ALGORITHMS] = { "LANES", "BLOCK", "COLUMNS", "GROUP", "ROWS", "WARPS", "THREAD", "STREAM", "EXACT_ROWS", "EXACT_COLUMNS", "PARTS" };
  const gpr_tree *t = &p->tree;
  snprintf (text, size, "%s, %s: %lld x %lld x %lld, %lld parts of %d lanes by %d columns; %lld blocks of %d threads for %lld units",
            names[l->algorithm], l->why, (long long) t->inner, (long long) t->length, (long long) t->outer, (long long) t->parts,
            (int) t->lanes, (int) t->columns, (long long) l->blocks, l->threads, (long long) l->units);
  if (plan->pieces)
    append (text, size, ", %lld pieces a row", plan->pieces);
  if (l->algorithm == GPR_ALGORITHM_EXACT_ROWS)
    append (text, size, l->own.exact_rows.vector ? ", %lld threads a row, vectors" : p->kernels->ragged_vector > 1 ? ", %lld threads a row, ragged" : ", %lld threads a row, single elements", l->own.exact_rows.threads);
  if (l->algorithm == GPR_ALGORITHM_EXACT_COLUMNS)
    {
      append (text, size, l->own.exact_columns.vector ? ", vectors, tiles of %lld columns" : ", single elements, tiles of %lld columns", l->own.exact_columns.width);
      append (text, size, ", %lld lanes a column", l->own.exact_columns.lanes);
      if (l->own.exact_columns.units > 1)
        append (text, size, ", %lld outers a block", l->own.exact_columns.units);
    }
  const int run = l->algorithm == GPR_ALGORITHM_COLUMNS ? l->own.columns.run : l->algorithm == GPR_ALGORITHM_BLOCK && ! l->merge_warp ? l->own.block.run : 1;
  if (run > 1)
    append (text, size, ", runs of %lld parts", run);
  if (l->all_parts > 1 && l->algorithm != GPR_ALGORITHM_PARTS)
    append (text, size, l->ticketed ? ", the last block merges %lld parts" : ", %lld parts merge in another launch", l->all_parts);
  if (plan->chunk_bytes)
    append (text, size, ", chunks of %lld bytes", (int64_t) plan->chunk_bytes);
}
