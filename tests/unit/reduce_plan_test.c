/* Plans of reductions: which algorithm has which shape, and what holds for every plan.  */

#include "test.h"
#include "fake_kernels.h"
#include "../../src/cuda/device.h"
#include "../../src/cuda/memory.h"
#include "../../src/cuda/reduce_plan.h"

enum { MULTIPROCESSORS = 132 };
static const int64_t room = 2 * (int64_t) GPR_CUDA_SCRATCH;

/* One launch of a whole resident problem.  */
typedef struct {
  gpr_reduce_kernels kernels;
  gpr_reduce_problem problem;
  gpr_reduce_device device;
  gpr_reduce_plan plan;
  gpr_reduce_chunk chunk;
  gpr_reduce_launch launch;
} planned;

static void make_problem (planned *p, enum gpr_instance instance, int64_t inner, int64_t length, int64_t outer, int multiprocessors, bool resident)
{
  memset (p, 0, sizeof *p);
  p->kernels = fake_kernels (instance);
  p->problem = (gpr_reduce_problem) { .kernels = &p->kernels, .tree = gpr_tree_make (p->kernels.acc_bytes, inner, length, outer),
                                      .address = 512, .x_resident = resident, .out_resident = true,
                                      .index = gpr_instances[instance].has_index };
  p->device = (gpr_reduce_device) { multiprocessors, 2 * multiprocessors, gpr_tuning_of (90) };
}

static void make_launch (planned *p)
{
  const gpr_tree *t = &p->problem.tree;
  p->plan = gpr_reduce_plan_make (&p->problem, &p->device, room);
  p->chunk = (gpr_reduce_chunk) { .address = p->problem.address, .row_stride = t->inner, .outers = p->plan.outers, .tiles = p->plan.tiles,
                                  .parts = p->plan.parts, .finishes = true };
  p->launch = gpr_reduce_plan_launch (&p->problem, &p->device, &p->plan, &p->chunk);
}

/* ---- doc/architecture.md's table ------------------------------------------------------------ */

static const struct {
  enum gpr_instance instance;
  int64_t inner, length, outer;
  gpr_algorithm algorithm;
} table[] = {
  /* Long rows of what any order suits: one; several from 256 KiB on, few of them from 32 KiB.  */
  { GPR_sum_i32, 1, 1 << 24, 1, GPR_ALGORITHM_STREAM },
  { GPR_max_f64, 1, 1 << 24, 1, GPR_ALGORITHM_STREAM },
  { GPR_argmax_f64, 1, 1 << 24, 1, GPR_ALGORITHM_STREAM },
  { GPR_max_f64, 1, 40000, 2000, GPR_ALGORITHM_STREAM },
  { GPR_max_f64, 1, 20000, 2000, GPR_ALGORITHM_BLOCK },
  { GPR_max_f64, 1, 20000, 500, GPR_ALGORITHM_STREAM },
  { GPR_sum_u8, 1, 3000, 20, GPR_ALGORITHM_STREAM },
  /* Extremes with an index: a single short row; short rows, slabs.  */
  { GPR_argmax_f64, 1, 1000, 1, GPR_ALGORITHM_STREAM },
  { GPR_argmax_f64, 1, 1000, 7, GPR_ALGORITHM_EXACT_ROWS },
  { GPR_argmax_f64, 1, 2049, 7, GPR_ALGORITHM_STREAM },
  { GPR_argmin_u8, 1, 7, 100000, GPR_ALGORITHM_EXACT_ROWS },
  { GPR_argmax_f32, 1 << 20, 7, 1, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_argmin_i16, 7, 1 << 20, 1, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_argmax_f64, 333, 1001, 300, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_argmax_c64, 1, 1000, 7, GPR_ALGORITHM_LANES },
  { GPR_nanindex_f64, 7, 1000, 7, GPR_ALGORITHM_LANES },
  /* any and all: the same, but that long aligned rows are BLOCK's.  */
  { GPR_any_f64, 1, 1000, 1, GPR_ALGORITHM_STREAM },
  { GPR_any_f64, 1, 7, 100000, GPR_ALGORITHM_EXACT_ROWS },
  { GPR_all_u8, 1, 2048, 1000, GPR_ALGORITHM_EXACT_ROWS },
  { GPR_all_u8, 1, 2049, 1000, GPR_ALGORITHM_STREAM },
  { GPR_any_f64, 1, 10000, 2000, GPR_ALGORITHM_BLOCK },
  { GPR_any_i16, 1 << 20, 7, 1, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_all_f32, 333, 1001, 300, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_any_c128, 40, 100, 1, GPR_ALGORITHM_EXACT_COLUMNS },
  /* Extremes of small integers: the same, but for rows that a thread takes.  */
  { GPR_max_i16, 1, 7, 100000, GPR_ALGORITHM_THREAD },
  { GPR_max_i16, 1, 333, 300300, GPR_ALGORITHM_EXACT_ROWS },
  { GPR_min_i8, 12345, 8100, 1, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_bounds_u16, 1, 7, 100000, GPR_ALGORITHM_EXACT_ROWS },
  { GPR_bounds_i16, 1 << 20, 7, 1, GPR_ALGORITHM_EXACT_COLUMNS },
  { GPR_max_i32, 1, 333, 300300, GPR_ALGORITHM_ROWS },
  /* Long rows whose order matters, and slabs of many lanes.  */
  { GPR_sum_f64, 1, 1 << 24, 1, GPR_ALGORITHM_BLOCK },
  { GPR_sum_f64, 1024, 1 << 14, 1, GPR_ALGORITHM_BLOCK },
  { GPR_moments_f64, 1, 1 << 24, 1, GPR_ALGORITHM_BLOCK },
  { GPR_moments_f64, 3, 1 << 20, 1, GPR_ALGORITHM_LANES },
  /* Rows.  */
  { GPR_sum_f64, 1, 4, 100000, GPR_ALGORITHM_THREAD },
  { GPR_sum_f64, 1, 8, 1, GPR_ALGORITHM_THREAD },
  { GPR_sum_f64, 1, 9, 100000, GPR_ALGORITHM_ROWS },
  { GPR_sum_f64, 1, 2048, 1000, GPR_ALGORITHM_GROUP },       /* in two parts */
  { GPR_sum_f64, 1, 2048, 2000, GPR_ALGORITHM_ROWS },
  { GPR_sum_f64, 1, 2049, 100000, GPR_ALGORITHM_WARPS },
  { GPR_sum_f64, 1, 12288, 100000, GPR_ALGORITHM_WARPS },
  { GPR_sum_f64, 1, 12289, 100000, GPR_ALGORITHM_BLOCK },
  { GPR_sum_f64, 1, 3000, 100, GPR_ALGORITHM_BLOCK },
  { GPR_max_u8, 1, 3008, 100000, GPR_ALGORITHM_WARPS },
  { GPR_max_u8, 1, 3001, 100000, GPR_ALGORITHM_STREAM },
  { GPR_moments_f64, 1, 3000, 100000, GPR_ALGORITHM_BLOCK },
  /* Many columns of few elements.  */
  { GPR_moments_f64, 333, 8, 1000, GPR_ALGORITHM_THREAD },
  { GPR_moments_f32, 17, 30, 100000, GPR_ALGORITHM_THREAD },
  { GPR_moments_f64, 2, 128, 100000, GPR_ALGORITHM_THREAD },
  { GPR_sum_f64, 2, 32, 100000, GPR_ALGORITHM_THREAD },
  { GPR_sum_f64, 3, 50, 100000, GPR_ALGORITHM_THREAD },
  { GPR_sum_f64, 3, 51, 100000, GPR_ALGORITHM_LANES },
  { GPR_moments_f64, 1 << 20, 9, 1, GPR_ALGORITHM_BLOCK },
  { GPR_sum_f64, 1 << 20, 7, 1, GPR_ALGORITHM_THREAD },
  { GPR_sum_f64, 333, 20, 15000, GPR_ALGORITHM_THREAD },
  { GPR_sum_f32, 7, 50, 285000, GPR_ALGORITHM_THREAD },
  /* Slabs of which a block would have few lanes, or parts that do not fit the GPU; of wide accumulators and of 1 and 2 bytes others too.  */
  { GPR_sum_f64, 333, 1001, 300, GPR_ALGORITHM_COLUMNS },
  { GPR_max_f32, 512, 1000, 200, GPR_ALGORITHM_COLUMNS },
  { GPR_sum_f64, 512, 1000, 200, GPR_ALGORITHM_BLOCK },
  { GPR_sum_f64, 100, 100, 10000, GPR_ALGORITHM_BLOCK },
  { GPR_sum_f64, 12345, 8100, 1, GPR_ALGORITHM_BLOCK },
  { GPR_sum_f64, 333333, 300, 1, GPR_ALGORITHM_COLUMNS },
  { GPR_sum_f64, 3000, 64, 520, GPR_ALGORITHM_BLOCK },
  { GPR_sum_i16, 1001, 1000, 100, GPR_ALGORITHM_COLUMNS },
  { GPR_moments_f32, 1024, 1000, 96, GPR_ALGORITHM_COLUMNS },
  { GPR_moments_f64, 1024, 1000, 96, GPR_ALGORITHM_COLUMNS },
  { GPR_moments_f64, 33, 1000, 3000, GPR_ALGORITHM_LANES },
  /* Short slabs of a power of two of columns, and of others.  */
  { GPR_sum_f64, 4, 100, 1000, GPR_ALGORITHM_GROUP },
  { GPR_sum_f64, 3, 100, 1000, GPR_ALGORITHM_LANES },
  /* What has nothing else: ordered reductions, rare ones.  */
  { GPR_satsum_i32, 1, 1 << 20, 1, GPR_ALGORITHM_LANES },
  { GPR_norm1_f64, 1, 100, 1000, GPR_ALGORITHM_LANES }
};

static void check_table (void)
{
  rule ("algorithms_are_those_of_the_table");
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    {
      planned p;
      char text[512];
      make_problem (&p, table[i].instance, table[i].inner, table[i].length, table[i].outer, MULTIPROCESSORS, true);
      make_launch (&p);
      gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, text, sizeof text);
      expect (p.launch.algorithm == table[i].algorithm, "row %d: %s", (int) i, text);
    }
}

/* ---- what holds for every plan ----------------------------------------------------------- */

#define below random_below
static int64_t some (int64_t most)
{
  const int64_t power = (int64_t) 1 << below (24), short_one = 1 + below (3000);
  const int64_t n = below (3) == 0 ? power : below (2) ? short_one : 1 + below (most);
  return n < most ? n : most;
}

static void random_problem (planned *p, int64_t most)
{
  static const int multiprocessors[] = { 1, 2, 7, 108, 132, 144 };
  const enum gpr_instance instance = (enum gpr_instance) below (GPR_INSTANCE_COUNT);
  const int64_t inner = below (2) ? 1 : some (1 << 20), length = some (most / inner), outer = below (3) ? some (most / inner / length) : 1;
  make_problem (p, instance, inner, length, outer, multiprocessors[below (6)], below (2));
  p->problem.address = 256 + (below (2) ? 0 : below (4) * p->kernels.elem_bytes);
  p->problem.products = p->kernels.lanes_of_products && below (2);
  p->problem.out_resident = below (2);
}

static void say (const planned *p, const char *what)
{
  char text[512];
  gpr_reduce_plan_explain (&p->problem, &p->plan, &p->launch, text, sizeof text);
  expect (false, "%s: %s", what, text);
}
#define HOLDS(p, condition) do { if (! (condition)) say (p, #condition); } while (0)

static bool is_power (int v) { return (v & (v - 1)) == 0; }

static void check_exact_columns (const planned *p)
{
  const gpr_reduce_launch *l = &p->launch;
  const gpr_exact_columns_args *own = &l->own.exact_columns;
  const gpr_tree *t = &p->problem.tree;
  const int elem = p->kernels.elem_bytes, v = own->vector ? p->kernels.columns_vector : 1;
  const int64_t lanes = (int64_t) own->lanes * own->width, columns = gpr_min64 (t->inner, p->chunk.tiles * t->columns);
  HOLDS (p, p->kernels.exact_columns && p->problem.x_resident && t->inner > 1 && p->chunk.finishes && p->chunk.parts == t->parts);
  if (own->few)
    {
      HOLDS (p, t->length <= 8 && t->inner >= 32 && l->all_parts == 1 && p->chunk.tiles == t->tiles && l->units * v == t->inner * p->chunk.outers);
      HOLDS (p, v == 1 || (t->inner % v == 0 && p->chunk.address % (v * elem) == 0));
      return;
    }
  HOLDS (p, l->threads % 32 == 0 && l->threads >= GPR_REDUCE_THREADS && l->threads <= GPR_EXACT_COLUMNS_THREADS);
  HOLDS (p, own->lanes >= 1 && own->units >= 1 && own->units * gpr_over (lanes, v) <= l->threads && l->blocks == gpr_over (l->units, own->units));
  HOLDS (p, own->tiles * own->width >= columns && (own->tiles - 1) * own->width < columns);
  HOLDS (p, own->lanes == 1 || (own->width == t->inner && own->tiles == 1));
  HOLDS (p, own->units == 1 || (l->all_parts == 1 && own->tiles == 1));
  HOLDS (p, l->ticketed == (l->all_parts > 1 && l->all_parts * own->width <= GPR_EXACT_TICKETED));
  /* Every row, in parts of whole steps that can be counted.  */
  HOLDS (p, own->rows % own->lanes == 0 && own->rows * l->all_parts >= t->length);
  HOLDS (p, elem != 2 || own->rows / own->lanes < 0xffff);
  HOLDS (p, elem != 1 || own->rows / own->lanes < 0xffffff);
  HOLDS (p, v == 1 || (p->chunk.address % (v * elem) == 0 && lanes % v == 0 && own->width * (own->tiles > 1) % v == 0
                       && own->rows * t->inner % v == 0 && (p->chunk.outers == 1 || t->length * t->inner % v == 0)
                       && (own->tiles == 1 || t->inner % v == 0)));
}

static void check_columns (const planned *p)
{
  const gpr_reduce_launch *l = &p->launch;
  const gpr_columns_args *own = &l->own.columns;
  const gpr_tree *t = &p->problem.tree;
  const int elem = p->kernels.elem_bytes, v = own->vector ? GPR_COLUMNS_VECTOR (elem) : 1;
  HOLDS (p, p->kernels.columns && p->problem.x_resident && p->chunk.finishes && p->chunk.tiles == t->tiles && p->chunk.parts == t->parts && ! l->ticketed);
  HOLDS (p, l->threads % 32 == 0 && l->threads >= 32 && l->threads <= GPR_REDUCE_THREADS && l->blocks == l->units);
  HOLDS (p, own->run * t->lanes * 32 * v <= p->kernels.width && own->across == gpr_over (t->inner, 32 * v));
  HOLDS (p, v == 1 || ((p->chunk.address | p->chunk.second) % (v * elem) == 0 && t->inner % v == 0));
}

static void check_launch (const planned *p)
{
  const gpr_reduce_launch *l = &p->launch;
  const gpr_reduce_kernels *k = &p->kernels;
  const gpr_tree *t = &p->problem.tree;
  const int64_t lanes = (int64_t) t->lanes * t->columns;
  const bool resident = l->algorithm == GPR_ALGORITHM_BLOCK || l->algorithm == GPR_ALGORITHM_STREAM;
  const int run = l->algorithm == GPR_ALGORITHM_COLUMNS ? l->own.columns.run : l->algorithm == GPR_ALGORITHM_BLOCK && ! l->merge_warp ? l->own.block.run : 1;

  const bool columns = (l->algorithm == GPR_ALGORITHM_THREAD && t->inner > 1) || (l->algorithm == GPR_ALGORITHM_EXACT_COLUMNS && l->own.exact_columns.few);
  HOLDS (p, l->blocks >= 1);
  const int64_t across = l->algorithm == GPR_ALGORITHM_EXACT_COLUMNS ? l->own.exact_columns.tiles : l->algorithm == GPR_ALGORITHM_COLUMNS ? l->own.columns.across : p->chunk.tiles;
  HOLDS (p, columns || l->units == l->parts * across * p->chunk.outers);
  HOLDS (p, l->dense ? k->dense != NULL : l->short_columns ? k->short_columns != NULL && (! p->problem.products || k->short_columns_of_products) : true);
  HOLDS (p, ! resident || (l->blocks <= l->units && l->blocks <= p->device.dense_blocks * p->device.tuning->odd_blocks));
  HOLDS (p, ! resident || (l->algorithm == GPR_ALGORITHM_BLOCK && t->inner > 1 && ! l->merge_warp && ! l->own.block.vector) || l->blocks <= p->device.dense_blocks);
  HOLDS (p, ! resident || gpr_reduce_plan_asks_blocks (&p->problem));
  const bool fitted = l->algorithm == GPR_ALGORITHM_COLUMNS || (l->algorithm == GPR_ALGORITHM_LANES && k->width == GPR_REDUCE_THREADS);   /* no warp without a lane */
  HOLDS (p, ! fitted || l->algorithm == GPR_ALGORITHM_COLUMNS || l->threads == gpr_over (gpr_min64 (l->own.lanes.units, l->units) * lanes, 32) * 32);
  HOLDS (p, fitted || l->algorithm == GPR_ALGORITHM_EXACT_COLUMNS || l->threads == (l->merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS));
  HOLDS (p, l->exact == (l->algorithm == GPR_ALGORITHM_EXACT_ROWS || l->algorithm == GPR_ALGORITHM_EXACT_COLUMNS));
  /* Runs and pieces are parts of an output that is all there.  */
  HOLDS (p, run >= 1 && (l->algorithm == GPR_ALGORITHM_COLUMNS || run <= GPR_RUN_PARTS) && (run & (run - 1)) == 0);
  HOLDS (p, l->algorithm == GPR_ALGORITHM_STREAM || l->exact || (l->all_parts * run >= t->parts && (l->all_parts - 1) * run < t->parts));
  HOLDS (p, run == 1 || l->algorithm == GPR_ALGORITHM_COLUMNS || (p->chunk.parts == t->parts && 8 * l->blocks >= 5 * p->device.dense_blocks));
  if (l->ticketed)
    {
      HOLDS (p, l->parts == l->all_parts && l->all_parts > 1 && p->chunk.finishes);
      const int64_t counters = l->merge_warp ? gpr_over (l->all_parts, l->own.merge_warp.ticket_parts) + 1 : 1;
      HOLDS (p, counters * (l->units / l->parts) <= GPR_CUDA_TICKETS);
    }
  switch (l->algorithm)
    {
    case GPR_ALGORITHM_LANES: HOLDS (p, l->own.lanes.units * lanes <= k->width && l->blocks * l->own.lanes.units >= l->units); break;
    case GPR_ALGORITHM_GROUP: HOLDS (p, k->small && l->own.group.threads <= 32 && l->own.group.threads * k->vector == lanes); break;
    case GPR_ALGORITHM_BLOCK: HOLDS (p, k->blocks && 2 * lanes > k->width); break;
    case GPR_ALGORITHM_STREAM: HOLDS (p, k->exact && ! p->problem.products && l->parts == p->plan.pieces && l->all_parts == l->parts); break;
    case GPR_ALGORITHM_EXACT_ROWS:
      HOLDS (p, k->exact_rows && p->problem.x_resident && t->inner == 1 && t->length <= GPR_EXACT_ROW && l->all_parts == 1 && p->chunk.finishes);
      HOLDS (p, l->own.exact_rows.threads >= 1 && l->own.exact_rows.threads <= 32 && is_power (l->own.exact_rows.threads));
      HOLDS (p, ! l->own.exact_rows.vector || (p->chunk.address | t->length * k->elem_bytes) % (k->rows_vector * k->elem_bytes) == 0);
      break;
    case GPR_ALGORITHM_EXACT_COLUMNS: check_exact_columns (p); break;
    case GPR_ALGORITHM_COLUMNS: check_columns (p); break;
    case GPR_ALGORITHM_THREAD:
      HOLDS (p, k->small && l->all_parts == 1 && (t->length <= 8 || (columns && t->lanes > 1 && t->lanes <= 8 && t->length <= 128)));
      if (columns)
        {
          const int64_t v = GPR_SHORT_COLUMNS (k->elem_bytes);
          HOLDS (p, p->problem.x_resident && p->chunk.tiles == t->tiles && p->chunk.finishes);
          HOLDS (p, l->units * (l->own.thread.vector ? v : 1) == t->inner * p->chunk.outers);
          HOLDS (p, ! l->own.thread.vector || (t->inner % v == 0 && p->chunk.address % (v * k->elem_bytes) == 0));
        }
      break;
    default: HOLDS (p, k->small && t->inner == 1 && t->parts == 1 && l->all_parts == 1);
    }
}

/* The boxes and chunks that src/cuda/reduce.c makes of a plan.  */
static void check_cover (planned *p, int64_t slot)
{
  const gpr_tree *t = &p->problem.tree;
  const gpr_reduce_plan *plan = &p->plan;
  int64_t covered = 0, launches = 0;
  HOLDS (p, plan->box_outers >= 1 && plan->box_tiles >= 1 && (plan->box_outers == 1 || plan->box_tiles == t->tiles));
  HOLDS (p, plan->outers >= 1 && plan->tiles >= 1 && plan->parts >= 1);
  HOLDS (p, plan->outers == 1 || (plan->parts == t->parts && plan->tiles == plan->box_tiles));
  /* A slot's worth, or one unit.  */
  const int64_t unit = gpr_min64 (t->rows, t->length) * t->columns * p->kernels.elem_bytes * (p->problem.products ? 2 : 1);
  HOLDS (p, (int64_t) plan->chunk_bytes <= gpr_max64 (slot, unit));
  HOLDS (p, (plan->chunk_bytes == 0) == (p->problem.x_resident || t->length == 0));
  for (int64_t bo = 0; bo < t->outer && launches < 3000; bo += plan->box_outers)
    for (int64_t bt = 0; bt < t->tiles && launches < 3000; bt += plan->box_tiles)
      {
        const int64_t outers = gpr_min64 (plan->box_outers, t->outer - bo), tiles = gpr_min64 (plan->box_tiles, t->tiles - bt);
        for (int64_t o = 0; o < outers && launches < 3000; o += p->chunk.outers)
          for (int64_t c = 0; c < tiles && launches < 3000; c += p->chunk.tiles)
            for (int64_t part = 0; part < t->parts && launches < 3000; part += p->chunk.parts, launches++)
              {
                p->chunk.outers = gpr_min64 (plan->outers, outers - o);
                p->chunk.tiles = gpr_min64 (plan->tiles, tiles - c);
                p->chunk.parts = gpr_min64 (plan->parts, t->parts - part);
                p->chunk.row_stride = plan->chunk_bytes ? gpr_reduce_columns (t, bt + c, p->chunk.tiles) : t->inner;
                p->launch = gpr_reduce_plan_launch (&p->problem, &p->device, plan, &p->chunk);
                check_launch (p);
                covered += p->chunk.outers * p->chunk.tiles * p->chunk.parts;
                const int64_t rows = gpr_min64 (p->chunk.parts * t->rows, t->length - part * t->rows);
                const int64_t bytes = p->chunk.outers * rows * gpr_reduce_columns (t, bt + c, p->chunk.tiles) * p->kernels.elem_bytes;
                HOLDS (p, plan->chunk_bytes == 0 || (size_t) (bytes * (p->problem.products ? 2 : 1)) <= plan->chunk_bytes);
              }
      }
  HOLDS (p, launches == 3000 || covered == t->outer * t->tiles * t->parts);
}

static void check_random (void)
{
  rule ("blocks_units_tickets_and_runs_of_any_plan");
  for (int i = 0; i < 50000; i++)
    {
      planned p;
      random_problem (&p, (int64_t) 1 << 38);
      p.problem.x_resident = true;
      make_launch (&p);
      check_launch (&p);
    }
  rule ("boxes_and_chunks_cover_every_unit_once");
  for (int i = 0; i < 3000; i++)
    {
      planned p;
      random_problem (&p, 1 << 26);
      make_launch (&p);
      const size_t less = (size_t) GPR_CUDA_LEAST << below (10);
      p.plan = gpr_reduce_plan_make (&p.problem, &p.device, less);
      check_cover (&p, less / (2 * GPR_CUDA_SLOTS));
    }
  rule ("merging_launches_have_blocks_for_all_columns");
  for (int i = 0; i < 10000; i++)
    {
      const gpr_reduce_device d = { 1 + (int) below (144), 1, gpr_tuning_of (90) };
      const int64_t columns = some (1 << 24), outers = 1 + below (100);
      const gpr_reduce_launch l = gpr_reduce_plan_merge (&d, 1 << below (7), 2 + below (16000), columns, outers);
      const int each = l.own.parts.columns;
      expect (each >= 1 && each <= GPR_REDUCE_THREADS && (each & (each - 1)) == 0 && l.blocks == gpr_over (columns, each) * outers,
              "%lld columns, %lld outers, %d each", (long long) columns, (long long) outers, each);
    }
}

/* ---- texts, tuning ------------------------------------------------------------------------ */

static void check_texts (void)
{
  rule ("a_plan_says_what_it_chose_and_why");
  planned p;
  char text[512], little[20];
  make_problem (&p, GPR_sum_f64, 1, 1 << 24, 1, MULTIPROCESSORS, true);
  make_launch (&p);
  gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, text, sizeof text);
  expect (strncmp (text, "BLOCK, a part's lanes", 21) == 0 && strstr (text, "256 blocks") && strstr (text, "the last block merges"), "%s", text);
  gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, little, sizeof little);
  expect (strlen (little) == sizeof little - 1, "%s", little);

  make_problem (&p, GPR_sum_f64, 333, 10010, 30, MULTIPROCESSORS, true);
  make_launch (&p);
  gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, text, sizeof text);
  expect (strncmp (text, "COLUMNS, slabs", 14) == 0 && strstr (text, "runs of 16 parts"), "%s", text);
  make_problem (&p, GPR_argmax_f64, 333, 1001, 300, MULTIPROCESSORS, true);
  make_launch (&p);
  gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, text, sizeof text);
  expect (strncmp (text, "EXACT_COLUMNS, slabs", 20) == 0 && strstr (text, "352 threads") && strstr (text, "single elements, tiles of 333 columns, 1 lanes a column")
          && strstr (text, "the last block merges 7 parts"), "%s", text);
  make_problem (&p, GPR_argmin_i16, 1, 40, 1000, MULTIPROCESSORS, true);
  make_launch (&p);
  gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, text, sizeof text);
  expect (strncmp (text, "EXACT_ROWS, rows", 16) == 0 && strstr (text, "4 threads a row, vectors"), "%s", text);
  make_problem (&p, GPR_any_u8, 1, 41, 1000, MULTIPROCESSORS, true);
  make_launch (&p);
  gpr_reduce_plan_explain (&p.problem, &p.plan, &p.launch, text, sizeof text);
  expect (strncmp (text, "EXACT_ROWS, rows", 16) == 0 && strstr (text, "4 threads a row, ragged"), "%s", text);

  rule ("a_device_has_the_row_of_its_capability_or_the_next_lower");
  static const int rows[][2] = { { 75, 80 }, { 80, 80 }, { 86, 80 }, { 89, 80 }, { 90, 90 }, { 100, 90 }, { 120, 90 } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect (gpr_tuning_of (rows[i][0])->capability == rows[i][1], "sm_%d", rows[i][0]);
}

int main (void)
{
  check_table ();
  check_random ();
  check_texts ();
  return verdict ();
}
