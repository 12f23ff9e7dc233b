/* The CUDA backend's host side without a GPU: transfers, chunks and shares on a
   fake one (fake_cuda), whose kernels are the CPU's loops.  */

#define _GNU_SOURCE
#include <pthread.h>
#include "test.h"
#include "fake_cuda/fake_cuda.h"
#include "fake_kernels.h"
#include "../../src/cpu/cpu.h"
#include "../../src/cuda/problems.h"
#include "../../src/cuda/peer.h"
#include "../../src/cuda/session.h"
#include "../../src/cuda/stream.h"
#include "../../kernels/engine/engine.h"
#include "../../src/cpu/isa/loops.h"
#include "../../src/dispatch/among.h"
#include "../../src/dispatch/split.h"

/* No expression is compiled here.  */
void gpr_cuda_plan_map (void) {}
bool gpr_source_of_map (void) { return false; }
void gpr_source_reduces (void) {}
void gpr_source_terms (void) {}
void *gpr_cuda_compiled (void) { return NULL; }
void *gpr_cuda_compiled_for (void) { return NULL; }
int gpr_cuda_compiled_state (void) { return 0; }
int gpr_cuda_compiled_blocks (void) { return 0; }
gpr_status gpr_cuda_launch_compiled (void) { return GPR_UNSUPPORTED; }

static volatile int flag;
static int algorithms;          /* bits: what was launched */
static long mailbox, merged_runs;
static bool silent;             /* kernels write nothing to the host */

/* ---- kernels ------------------------------------------------------------------- */

/* All instances are of the first group here.  */
const gpr_reduce_kernels *gpr_engine_sum (enum gpr_instance instance)
{
  static gpr_reduce_kernels all[GPR_INSTANCE_COUNT];
  all[instance] = fake_kernels (instance);
  return &all[instance];
}
#define NO_GROUP(name) const gpr_reduce_kernels *gpr_engine_##name (enum gpr_instance instance) { (void) instance; return NULL; }
NO_GROUP (sumsq) NO_GROUP (prod) NO_GROUP (native) NO_GROUP (extreme) NO_GROUP (bounds) NO_GROUP (arg) NO_GROUP (logical)
NO_GROUP (moments) NO_GROUP (norm)

/* Products in doubt are settled in emulated/products.cpp: here it is said whether one is left.  */
static int settled_behind = -1, some_left;
bool gpr_cuda_settles_behind (const gpr_reduction *r) { return settled_behind >= 0 && r->instance == GPR_prod_f64; }
gpr_status gpr_cuda_settle_behind (gpr_cuda_state *s, gpr_cuda_slot *slot, const gpr_reduction *r, void *value)
{
  settled_behind += slot != NULL;
  *s->left_in_doubt = some_left;
  return r->out_resident == (value == r->value) ? GPR_OK : GPR_UNSUPPORTED;
}

/* One launch.  */
typedef struct {
  const gpr_reduce_args *a;
  enum gpr_instance instance;
  const gpr_instance_info *f;
  const gpr_cpu_loops *loops;
  bool products;
} launch;

static void post (const gpr_reduce_out *out, int word, uint32_t bits)
{
  if (! silent)
    ((volatile uint64_t *) out->mailbox)[word] = (uint64_t) out->call << 32 | bits;
}

static void store (const launch *k, int64_t at, const void *acc)
{
  const gpr_reduce_out *out = &k->a->out;
  const int bytes = k->f->value_bytes;
  uint32_t value[GPR_MAILBOX_WORDS - GPR_MAILBOX_HEAD] = { 0 };
  int64_t index = 0;
  if (! out->mailbox)
    {
      if (k->loops->finish (acc, 1, out->divisor, (char *) out->value + at * bytes, out->index ? out->index + at : NULL))
        *out->needs_fixup = 1;
      return;
    }
  int needs_fixup = k->loops->finish (acc, 1, out->divisor, value, k->f->has_index ? &index : NULL);
  for (int i = 0; i < (bytes + 3) / 4; i++)
    post (out, GPR_MAILBOX_HEAD + i, value[i]);
  post (out, 0, needs_fixup);
  post (out, 1, (uint32_t) index);
  post (out, 2, (uint32_t) (index >> 32));
}

static char *partial (const launch *k, int64_t outer, int64_t part, int64_t column)
{
  return (char *) k->a->partials + ((outer * k->a->all_parts + part) * k->a->out_stride + column) * k->f->acc_bytes;
}

/* The parts of an output; they are read only, as they are on the device.  */
static void merge_parts (const launch *k, int64_t outer, int64_t column)
{
  const int64_t parts = k->a->all_parts, bytes = k->f->acc_bytes;
  char *p = malloc (parts * bytes);
  for (int64_t j = 0; j < parts; j++)
    memcpy (p + j * bytes, partial (k, outer, j, column), bytes);
  for (int64_t s = 1; s < parts; s *= 2)
    for (int64_t j = 0; j + s < parts; j += 2 * s)
      k->loops->merge (p + j * bytes, p + (j + s) * bytes, 1);
  store (k, outer * k->a->out_stride + column, p);
  free (p);
}

/* What only some algorithms' arguments have.  */
static const char *begin (const launch *k)
{
  return k->products ? k->a->load.product.x : k->a->load.array.x;
}
static int64_t second (const launch *k)
{
  return k->products ? k->a->load.product.second : 0;
}
static bool has_merge_warp (const launch *k)
{
  return k->a->algorithm == GPR_ALGORITHM_BLOCK && gpr_engine_sum (k->instance)->merge_warp;
}
static int run_of (const launch *k)
{
  return k->a->algorithm == GPR_ALGORITHM_COLUMNS ? k->a->own.columns.run : k->a->algorithm == GPR_ALGORITHM_BLOCK && ! has_merge_warp (k) ? k->a->own.block.run : 1;
}
static bool in_vectors (const launch *k)
{
  const gpr_own_args *own = &k->a->own;
  switch (k->a->algorithm)
    {
    case GPR_ALGORITHM_LANES: return own->lanes.vector;
    case GPR_ALGORITHM_BLOCK: return ! has_merge_warp (k) && own->block.vector;
    case GPR_ALGORITHM_ROWS: case GPR_ALGORITHM_WARPS: return own->rows.vector;
    case GPR_ALGORITHM_THREAD: return own->thread.vector;
    default: return false;
    }
}

static bool is_of_short_columns (const launch *k) { return k->a->algorithm == GPR_ALGORITHM_THREAD && k->a->inner > 1 && k->a->lanes == 1; }

/* What a part of the tree has: columns accumulators.  */
static void fold_part (const launch *k, const char *x, int64_t first, int64_t rows, int64_t columns, char *acc)
{
  const gpr_reduce_args *a = k->a;
  const int64_t bytes = k->f->elem_bytes, lanes = k->f->traits & GPR_ORDERED ? 1 : a->lanes;
  int64_t step = a->row_stride;
  char *made = NULL;
  if (k->products)
    {
      made = malloc (rows * columns * bytes);
      for (int64_t r = 0; r < rows; r++)
        gpr_cpu_vector_baseline.products (k->f->elem, x + r * step * bytes, x + second (k) + r * step * bytes,
                                          made + r * columns * bytes, columns);
      x = made;
      step = columns;
    }
  k->loops->init (acc, lanes * columns);
  k->loops->lanes (acc, x, lanes * step, rows / lanes, lanes * columns, first, lanes, columns);
  if (rows % lanes)
    k->loops->lanes (acc, x + rows / lanes * lanes * step * bytes, 0, 1, rows % lanes * columns,
                     first + rows / lanes * lanes, lanes, columns);
  if (lanes > 1)
    k->loops->halve (acc, lanes, columns);
  free (made);
}

/* A piece of a contiguous row: every so many tiles; the last has the elements outside
   of tiles too.  */
static void fold_piece (const launch *k, const char *x, int64_t piece, char *acc)
{
  const int64_t n = k->a->length, bytes = k->f->elem_bytes, aligned = (16 - (uintptr_t) x % 16) % 16 / bytes, head = aligned < n ? aligned : n;
  const int64_t tile = GPR_TILE_VECTORS * GPR_REDUCE_THREADS * 16 / bytes, tiles = (n - head) / tile, tail = head + tiles * tile;
  char *rest = acc + k->f->acc_bytes;
  k->loops->init (acc, 2);
  for (int64_t t = piece; t < tiles; t += k->a->parts)
    k->loops->lanes (acc, x + (head + t * tile) * bytes, 1, tile, 1, head + t * tile, 1, 1);
  if (piece < k->a->parts - 1)
    return;
  k->loops->lanes (rest, x, 1, head, 1, 0, 1, 1);
  k->loops->lanes (rest, x + tail * bytes, 1, n - tail, 1, tail, 1, 1);
  k->loops->merge (acc, rest, 1);
}

/* What the kernels take for granted; the outputs' bits would not show it here.  */
static void check_launch (const launch *k, int kind, unsigned blocks, unsigned threads)
{
  const bool dense = kind & DENSE, of_short = kind & SHORT, exact = kind == EXACT;
  const gpr_reduce_args *a = k->a;
  const bool short_columns = is_of_short_columns (k);
  const int64_t width = gpr_tree_width (k->f->acc_bytes), lanes = (int64_t) a->lanes * a->columns;
  const int64_t vector = gpr_engine_sum (k->instance)->vector, bytes = vector * k->f->elem_bytes;
  const bool row = a->inner == 1 && a->all_parts == 1, binary = (lanes & (lanes - 1)) == 0 && (a->columns & (a->columns - 1)) == 0;
  const uintptr_t address = (uintptr_t) begin (k) | second (k);
  const bool vectors = (address | a->outer_stride * k->f->elem_bytes * (a->outers > 1)) % bytes == 0
                       && (lanes % vector == 0) && (a->tiles == 1 || (a->columns % vector == 0 && a->row_stride % vector == 0));
  const bool wanted = in_vectors (k), rows = a->row_stride == a->columns || a->lanes == 1, either = vectors || ! wanted;
  const bool small = gpr_engine_sum (k->instance)->small, of_lanes = a->algorithm == GPR_ALGORITHM_LANES || a->algorithm == GPR_ALGORITHM_COLUMNS || a->algorithm == GPR_ALGORITHM_PARTS || a->algorithm == GPR_ALGORITHM_ROWS;
  const bool merge_warp = has_merge_warp (k);
  const int run = run_of (k), together = a->own.merge_warp.ticket_parts;
  bool right = true, fitted = false;
  switch (a->algorithm)
    {
    case GPR_ALGORITHM_LANES:
      right = a->own.lanes.units * lanes <= width && either;
      fitted = width == GPR_REDUCE_THREADS && threads % 32 == 0 && threads <= width && (threads >= a->own.lanes.units * lanes || threads >= a->units * lanes);
      break;
    case GPR_ALGORITHM_BLOCK:
      right = either && rows && blocks <= a->units && (merge_warp ? binary && lanes == width : 2 * lanes > width)
              && (vectors || small) && run <= GPR_RUN_PARTS && (run & (run - 1)) == 0
              && (run == 1 || ((a->lanes == 1 || (binary && a->columns >= GPR_REDUCE_THREADS * (wanted ? vector : 1))) && a->first_part == 0 && a->parts == a->all_parts))
              && (! merge_warp || ! a->tickets || (a->columns <= gpr_tuning_of (90)->ticket_columns && together * a->columns <= GPR_TICKET_PARTS
                                                   && (a->all_parts + together - 1) / together * a->columns <= GPR_TICKET_PARTS));
      break;
    case GPR_ALGORITHM_COLUMNS:
      {
        const int64_t v = a->own.columns.vector ? GPR_COLUMNS_VECTOR (k->f->elem_bytes) : 1, wide = 32 * v, runs = (a->length + run * a->rows - 1) / (run * a->rows);
        right = small && a->inner > 1 && a->first_part == 0 && a->first_tile == 0 && a->parts == a->all_parts && a->parts == runs
                && (run & (run - 1)) == 0 && run * a->lanes * wide <= width && a->own.columns.across == (a->inner + wide - 1) / wide
                && a->units == a->own.columns.across * a->parts * a->outers && (v == 1 || (address % (v * k->f->elem_bytes) == 0 && a->inner % v == 0));
        fitted = threads % 32 == 0 && threads <= GPR_REDUCE_THREADS;
        break;
      }
    case GPR_ALGORITHM_GROUP: right = binary && vectors && rows && small && a->own.group.threads * vector == lanes && a->own.group.threads <= 32 && a->tiles == 1; break;
    case GPR_ALGORITHM_ROWS: right = row && either && small && (lanes == 8 || lanes == 64); break;
    case GPR_ALGORITHM_WARPS: right = row && either && (! wanted || a->length % vector == 0) && small && gpr_engine_sum (k->instance)->row_threads && lanes == width; break;
    case GPR_ALGORITHM_THREAD:
      if (short_columns)
        {
          const int64_t v = wanted ? GPR_SHORT_COLUMNS (k->f->elem_bytes) : 1;
          right = small && a->length <= 8 && a->lanes == 1 && a->all_parts == 1 && a->units * v == a->inner * a->outers && a->inner % v == 0
                  && (v == 1 || address % (v * k->f->elem_bytes) == 0);
          break;
        }
      right = row && a->length <= 8 && (! wanted || (address | a->length * k->f->elem_bytes) % (k->f->elem_bytes > 1 ? 16 : 8) == 0);
      break;
    case GPR_ALGORITHM_STREAM: right = a->inner == 1 && a->parts == a->all_parts && k->f->traits & GPR_EXACT && ! k->products; break;
    case GPR_ALGORITHM_EXACT_ROWS: case GPR_ALGORITHM_EXACT_COLUMNS: right = gpr_engine_sum (k->instance)->exact_rows && a->parts == a->all_parts; break;
    case GPR_ALGORITHM_PARTS:
      right = a->own.parts.columns > 0 && a->own.parts.columns <= GPR_REDUCE_THREADS && (a->own.parts.columns & (a->own.parts.columns - 1)) == 0;
      break;
    }
  if (! right || (! fitted && threads != (merge_warp ? GPR_MERGE_WARP_THREADS : GPR_REDUCE_THREADS) && a->algorithm != GPR_ALGORITHM_EXACT_COLUMNS)
      || exact != (a->algorithm == GPR_ALGORITHM_EXACT_ROWS || a->algorithm == GPR_ALGORITHM_EXACT_COLUMNS) || (! exact && dense == (of_lanes || short_columns)) || of_short != short_columns || k->products != (second (k) != 0))
    fake_violation ("an algorithm that does not fit");
  /* GROUP draws for one tile.  */
  if (a->tickets && (a->parts != a->all_parts || a->algorithm == GPR_ALGORITHM_LANES || (a->algorithm == GPR_ALGORITHM_GROUP && a->tiles * a->outers > 1)))
    fake_violation ("tickets for parts that are not all there");
  algorithms |= 1 << a->algorithm;
  mailbox += a->out.mailbox != NULL;
}

static void run_kernel (const void *kernel, unsigned blocks, unsigned threads, const void *arguments)
{
  const int number = (int) ((const char *) kernel - kernels[0]), kind = number / GPR_INSTANCE_COUNT;
  const enum gpr_instance instance = number % GPR_INSTANCE_COUNT;
  const gpr_reduce_args *a = arguments;
  const launch k = { a, instance, &gpr_instances[instance], gpr_cpu_loops_baseline[instance], kind >= OF_PRODUCTS && kind < EXACT && a->algorithm != GPR_ALGORITHM_PARTS };
  const int64_t bytes = k.f->elem_bytes, acc_bytes = k.f->acc_bytes;
  static _Thread_local char runs[32][256 * GPR_ACC_BYTES] __attribute__ ((aligned (64)));
  char *acc = runs[0];
  const int run = run_of (&k);
  const int64_t units = a->algorithm == GPR_ALGORITHM_COLUMNS ? a->parts * a->tiles * a->outers : a->units;    /* whose tile a column is changes nothing */

  check_launch (&k, kind, blocks, threads);
  if (kind == EXACT)            /* of parts of its own only the last block knows */
    {
      for (int64_t i = 0; i < a->outers * a->out_columns; i++)
        {
          const int64_t outer = i / a->out_columns, column = i % a->out_columns;
          k.loops->init (acc, 1);
          k.loops->lanes (acc, begin (&k) + (outer * a->outer_stride + column) * bytes, a->row_stride, a->length, 1, 0, 1, 1);
          store (&k, outer * a->out_stride + column, acc);
        }
      return;
    }
  if (is_of_short_columns (&k))
    {
      for (int64_t i = 0; i < a->outers * a->inner; i++)
        {
          const int64_t outer = i / a->inner, column = i % a->inner;
          fold_part (&k, begin (&k) + (outer * a->outer_stride + column) * bytes, 0, a->length, 1, acc);
          store (&k, outer * a->out_stride + column, acc);
        }
      return;
    }
  if (a->algorithm == GPR_ALGORITHM_PARTS)
    {
      for (int64_t i = 0; i < a->outers * a->out_columns; i++)
        merge_parts (&k, i / a->out_columns, i % a->out_columns);
      return;
    }
  for (int64_t i = 0; i < units; i++)
    {
      const int64_t tile = i % a->tiles, part = i / a->tiles % a->parts, outer = i / a->tiles / a->parts;
      const int64_t column = tile * a->columns;
      const int64_t columns = a->out_columns - column < a->columns ? a->out_columns - column : a->columns;
      const char *x = begin (&k) + (outer * a->outer_stride + column) * bytes;
      if (a->algorithm == GPR_ALGORITHM_STREAM)
        fold_piece (&k, x, part, acc);
      else
        {
          int parts = 0;
          for (; parts < run && (a->first_part + part * run + parts) * a->rows < gpr_max64 (1, a->length); parts++)
            {
              const int64_t p = part * run + parts, first = (a->first_part + p) * a->rows;
              fold_part (&k, x + p * a->rows * a->row_stride * bytes, first, gpr_min64 (a->length - first, a->rows), columns, runs[parts]);
            }
          for (int s = 1; s < parts; s *= 2)
            for (int j = 0; j + s < parts; j += 2 * s)
              k.loops->merge (runs[j], runs[j + s], columns);
          merged_runs += parts > 1;
        }
      for (int64_t c = column; c < column + columns; c++)
        if (a->all_parts == 1)
          store (&k, outer * a->out_stride + c, acc + (c - column) * acc_bytes);
        else
          memcpy (partial (&k, outer, a->first_part + part, c), acc + (c - column) * acc_bytes, acc_bytes);
      unsigned *ticket = a->tickets ? a->tickets + outer * a->tiles + tile : NULL;
      if (ticket && ++*ticket == (unsigned) a->all_parts)
        {
          *ticket = 0;
          for (int64_t c = column; c < column + columns; c++)
            merge_parts (&k, outer, c);
        }
    }
}

/* As the module's entries (src/cuda/backend.c).  */
static gpr_status reduce (gpr_reduction *r)
{
  gpr_cuda_state *s;
  gpr_status status = gpr_cuda_enter (&s, r->x_resident ? r->x : NULL, r->x_resident ? r->y : NULL, r->out_resident ? r->value : NULL);
  return status == GPR_OK ? gpr_cuda_leave (s, gpr_cuda_reduce (s, r)) : status;
}

static gpr_status share (gpr_share *p)
{
  gpr_cuda_state *s;
  int64_t units;
  gpr_status status = gpr_cuda_enter (&s, NULL, NULL, NULL);
  return status == GPR_OK ? gpr_cuda_leave (s, gpr_cuda_share (s, p, &units)) : status;
}

static const gpr_backend gpu = { .name = "fake", .reduce = reduce, .share = share };

/* The device's share is all.  */
static gpr_status all_shared (gpr_reduction *r)
{
  gpr_share s;
  gpr_status status = gpr_share_open (&s, r);
  if (status == GPR_OK)
    {
      status = share (&s);
      gpr_share_close (&s, status);
    }
  return status;
}

/* Another device takes units between those of the device, from the same end.  */
static int64_t (*take_own) (gpr_share *s, bool from_back, int64_t most, int64_t *first);
static int64_t other_first, other_count;

static int64_t take_once (gpr_share *s, bool from_back, int64_t most, int64_t *first)
{
  const int64_t count = other_count;
  (void) s;
  (void) from_back;
  (void) most;
  *first = other_first;
  other_count = 0;
  return count;
}

static int64_t take_between (gpr_share *s, bool from_back, int64_t most, int64_t *first)
{
  if (random_below (2) && (other_count = take_own (s, true, 1 + random_below (3), &other_first)) > 0)
    {
      gpr_share other = { .r = s->r, .tree = s->tree, .partials = s->partials, .unit_bytes = s->unit_bytes, .take = take_once };
      expect (gpr_cpu_share (&other) == GPR_OK, "the other's units");
      if (other.needs_fixup)
        s->needs_fixup = true;
    }
  return take_own (s, from_back, random_below (2) ? most : 1 + random_below (5), first);
}

static gpr_status torn_shared (gpr_reduction *r)
{
  gpr_share s;
  gpr_status status = gpr_share_open (&s, r);
  if (status == GPR_OK)
    {
      take_own = s.take;
      s.take = take_between;
      s.takers = 1 + (int) random_below (4);
      status = share (&s);
      gpr_share_close (&s, status);
    }
  return status;
}

/* ---- problems ---------------------------------------------------------------------- */

static void at_rest (const char *after)
{
  gpr_cuda_memory m;
  gpr_cuda_memory_now (&m);
  expect (fake.violations == 0 && fake.locked == 0 && m.in_use == 0,
          "after %s: %ld violations (%s), %ld ranges locked, %lld bytes in use", after, fake.violations,
          fake.last ? fake.last : "", fake.locked, (long long) m.in_use);
  fake.violations = 0;
}

static char kind_of (enum gpr_elem e)
{
  return e == GPR_c128 || e == GPR_c64 ? 'c' : e <= GPR_f32 ? 'f' : 'i';
}

/* Of arrays that lie on the device, up to two elements off an aligned place.  */
static gpr_status fold_there (gpr_reduction *host, bool results_too)
{
  const gpr_instance_info *f = &gpr_instances[host->instance];
  const size_t bytes = (size_t) (host->inner * host->length * host->outer) * f->elem_bytes, off = random_below (3) * f->elem_bytes;
  const size_t outputs = (size_t) (host->inner * host->outer);
  gpr_reduction r = *host;
  gpr_cuda_state *s;
  void *x = NULL, *value = NULL, *index = NULL;
  gpr_status status = gpr_cuda_enter (&s, NULL, NULL, NULL);

  if (status == GPR_OK)
    status = gpr_cuda_take (s, &x, 2 * (bytes + off + 16));
  if (status == GPR_OK && results_too)
    {
      status = gpr_cuda_take (s, &value, outputs * f->value_bytes);
      if (status == GPR_OK && r.index)
        status = gpr_cuda_take (s, &index, outputs * sizeof *r.index);
    }
  if (status == GPR_OK)
    {
      r.x = memcpy ((char *) x + off, r.x, bytes);
      if (r.y)
        r.y = memcpy ((char *) x + (bytes + off + 15) / 16 * 16 + off, r.y, bytes);
      r.x_resident = true;
      if (value)
        {
          r.out_resident = true;
          r.value = value;
          r.index = index;
        }
      status = reduce (&r);
    }
  if (status == GPR_OK && value)
    {
      memcpy (host->value, value, outputs * f->value_bytes);
      if (index)
        memcpy (host->index, index, outputs * sizeof *r.index);
    }
  host->needs_fixup = r.needs_fixup;
  gpr_cuda_give (x);
  gpr_cuda_give (value);
  gpr_cuda_give (index);
  return status;
}

static gpr_status fold_resident (gpr_reduction *r)
{
  return fold_there (r, false);
}

static gpr_status fold_to_resident (gpr_reduction *r)
{
  return fold_there (r, true);
}

typedef struct { int device, others; pthread_t thread; } thread_of;

/* Of calls without an array, those that were not its device's.  */
static void *ask_device (void *of)
{
  thread_of *t = of;
  t->others = 0;
  gpr_cuda_stay (t->device);
  for (int i = 0; i < 1000; i++)
    {
      gpr_cuda_state *s;
      t->others += gpr_cuda_enter (&s, NULL, NULL, NULL) != GPR_OK || s->number != t->device - 1;
    }
  gpr_cuda_stay (0);
  return NULL;
}

/* Three devices at once, each with a thread of its own, and the CPU now and then.  */
static gpr_status share_on (gpr_taker *t, gpr_share *p)
{
  gpr_cuda_state *s;
  gpr_status status = gpr_cuda_enter_device (&s, t->device);
  if (status != GPR_OK)
    return status;
  s->copy_threads = t->threads;
  s->copy_bytes = t->bytes;
  status = gpr_cuda_share (s, p, &t->units);
  s->copy_threads = 0;
  s->copy_bytes = 0;
  return status;
}

static gpr_status by_three (gpr_reduction *r)
{
  gpr_taker takers[3] = { { .device = 2 }, { .device = 1 }, { .device = 3 } };
  return gpr_among_reduce (share_on, takers, 3, random_below (2), r);
}

static gpr_status fold_both (gpr_reduction *r)
{
  return gpr_split_reduce (&gpu, r);
}

static const struct { const char *name; gpr_status (*reduce) (gpr_reduction *); } ways[] = {
  { "gpu", reduce }, { "both", fold_both }, { "resident", fold_resident }, { "to resident", fold_to_resident },
  { "all shared", all_shared }, { "torn", torn_shared }, { "three devices", by_three }
};
enum { BOTH = 1, ALL_SHARED = 4, TORN, THREE, WAYS };

/* As the CPU alone, by the GPU alone and by both.  */
static void compare (enum gpr_instance instance, int64_t l, int64_t n, int64_t u, bool products, int times)
{
  const gpr_instance_info *f = &gpr_instances[instance];
  size_t elements = (size_t) (l * n * u), bytes = (size_t) (l * u * f->value_bytes), places = (size_t) (l * u) * sizeof (int64_t);
  /* Not at a page's beginning, as Octave's arrays are.  */
  char *block = malloc (2 * elements * f->elem_bytes + 16), *x = block + 16, *want = malloc (bytes), *got = malloc (bytes);
  int64_t *want_at = malloc (places), *got_at = malloc (places);
  gpr_reduction r = { .instance = instance, .inner = l, .length = n, .outer = u, .x = x, .divisor = random_below (3) ? 0 : (double) n,
                      .y = products ? x + elements * f->elem_bytes : NULL };

  random_fill (x, kind_of (f->elem), f->elem_bytes, (int64_t) elements * (products ? 2 : 1), random_below (2) ? PLAIN : TIES);
  r.value = want;
  r.index = f->has_index ? want_at : NULL;
  gpr_config.threads = 2;
  gpr_status status = gpr_cpu_backend.reduce (&r);
  bool needs_fixup = r.needs_fixup;
  r.value = got;
  r.index = f->has_index ? got_at : NULL;
  for (int i = 0; i < times; i++)
    {
      gpr_config.threads = 1 + (int) random_below (4);
      gpr_config.in_place_threads = (int) random_below (4);
      gpr_config.memory_limit = random_below (2) ? 0 : (size_t) 8 << 20;
      memset (got, 0x55, bytes);
      memset (got_at, 0x55, places);
      r.needs_fixup = false;
      const int way = i % WAYS >= ALL_SHARED && ! gpr_splits (&r) ? 0 : i % WAYS;
      if (status == GPR_OK)
        status = ways[way].reduce (&r);
      expect (status == GPR_OK && memcmp (want, got, bytes) == 0 && r.needs_fixup == needs_fixup
              && (! f->has_index || memcmp (want_at, got_at, places) == 0),
              "%s l %lld n %lld u %lld%s %s: status %d (%s), threads %d, in place up to %d", f->name, (long long) l, (long long) n,
              (long long) u, products ? ", products" : "", ways[way].name, status, status ? gpr_message () : "",
              gpr_config.threads, gpr_config.in_place_threads);
      at_rest (f->name);
    }
  gpr_config.memory_limit = 0;
  free (block);
  free (want);
  free (got);
  free (want_at);
  free (got_at);
}

/* ---- transfers ------------------------------------------------------------------------- */

/* Every byte of a view, there and back; what lies between its segments stays.  */
static gpr_status there_and_back (size_t segment, size_t stride, int64_t count, bool *equal)
{
  const size_t total = segment * count, room = stride * count + 64;
  char *from = malloc (room), *to = malloc (room), *want = malloc (room);
  gpr_cuda_view up = { from + 16, segment, stride, count }, down = { to + 16, segment, stride, count };
  gpr_cuda_state *s;
  void *device = NULL;

  for (size_t i = 0; i < room; i += 8)
    {
      uint64_t v = random_u64 ();
      memcpy (from + i, &v, room - i < 8 ? room - i : 8);
    }
  memset (to, 0x55, room);
  memset (want, 0x55, room);
  for (int64_t i = 0; i < count; i++)
    memcpy (want + 16 + i * stride, from + 16 + i * stride, segment);
  gpr_status status = gpr_cuda_enter (&s, NULL, NULL, NULL);
  if (status == GPR_OK)
    {
      status = gpr_cuda_take (s, &device, total);
      if (status == GPR_OK)
        status = gpr_cuda_upload (s, device, &up);
      if (status == GPR_OK)
        status = gpr_cuda_download (s, &down, device);
      gpr_cuda_finish (s);
      gpr_cuda_give (device);
    }
  *equal = memcmp (to, want, room) == 0;
  free (from);
  free (to);
  free (want);
  return status;
}

static void transfer (size_t segment, size_t stride, int64_t count)
{
  bool equal;
  gpr_status status = there_and_back (segment, stride, count, &equal);
  expect (status == GPR_OK && equal, "%lld segments of %zu bytes, stride %zu: status %d (%s), %s; threads %d, in place up to %d",
          (long long) count, segment, stride, status, status ? gpr_message () : "", equal ? "equal" : "other bytes",
          gpr_config.threads, gpr_config.in_place_threads);
  at_rest ("a transfer");
}

static void *press (void *late)
{
  struct timespec t = { 0, *(int *) late * 100000 };
  nanosleep (&t, NULL);
  flag = 1;
  return NULL;
}

static bool copied (int to_device, void *to, int from_device, const void *from, size_t bytes)
{
  int failed;
  const gpr_cuda_transfer t = { .to_device = to_device, .from_device = from_device, .to = to, .from = from, .bytes = bytes };
  return gpr_cuda_copy (&t, 1, &failed) == GPR_OK;
}

int main (void)
{
  gpr_cuda_state *s;

  gpr_host = (gpr_cuda_host) { &gpr_interrupt_flag, &gpr_config, gpr_fail, &gpr_injected, NULL };
  gpr_interrupt_flag = &flag;
  fake_run_kernel = run_kernel;
  fake_argument_bytes = sizeof (gpr_reduce_args);
  fake_devices = 3;

  rule ("short_transfers_go_through_the_buffers_that_there_are");
  gpr_config.threads = 1;
  gpr_config.in_place_threads = 0;
  transfer (600000, 600000, 1);
  const size_t pinned = fake.pinned_bytes;
  for (int i = 0; i < 40; i++)
    transfer (600000, 600000, 1);
  expect (gpr_cuda_enter (&s, NULL, NULL, NULL) == GPR_OK && s->ring.block[1] && ! s->ring.block[2], "a copy of two pieces came through one buffer, or three");
  expect (fake.pinned_bytes == pinned, "%zu bytes pinned, then %zu", pinned, fake.pinned_bytes);

  rule ("transfers_of_any_size_and_stride_arrive_by_any_number_of_threads");
  for (int i = 0; i < 60; i++)
    {
      size_t segment = (size_t) random_below (i % 3 ? 40000 : 4000000) + 1;
      gpr_config.threads = 1 + (int) random_below (4);
      gpr_config.in_place_threads = i % 2 ? 4 : 0;
      transfer (segment, segment + (size_t) random_below (3) * 100, 1 + random_below (i % 3 ? 60 : 2));
    }
  gpr_config.threads = 3;
  transfer ((size_t) 70 << 20, (size_t) 70 << 20, 1);
  gpr_config.in_place_threads = 0;
  transfer ((size_t) 70 << 20, (size_t) 70 << 20, 1);
  expect (fake.locks > 0, "nothing was locked in place");
  expect (fake.pinned_bytes <= (size_t) 65 << 20, "%zu bytes pinned", fake.pinned_bytes);

  rule ("memory_that_cannot_be_locked_goes_through_the_ring");
  fake_refuses_locks = true;
  gpr_config.in_place_threads = 4;
  transfer (5000000, 5000000, 1);
  expect (gpr_cuda_enter (&s, NULL, NULL, NULL) == GPR_OK && s->locks_fail, "not noticed");
  fake_refuses_locks = false;
  s->locks_fail = false;

  rule ("data_give_the_cpus_bits_streamed_alone_or_shared_or_resident");
  const int shapes_each = (test_cases (30) + 9) / 10;  /* of few, the last ways, with threads and memory of their own, take some */
  for (int f = 0; f < GPR_INSTANCE_COUNT; f++)
    {
      static const int64_t shapes[][3] = {
        { 1, 150000, 1 }, { 3, 20001, 2 }, { 4, 20001, 2 }, { 1, 30011, 5 }, { 1, 2048, 65 }, { 1, 700, 200 }, { 1500, 40, 3 },
        { 1024, 40, 3 }, { 1000, 64, 3 }, { 500, 32, 5 }, { 8, 100, 30 }, { 1, 500, 9 }, { 1, 7, 5000 }, { 1, 8, 1 }
      };
      enum { SHAPES = sizeof shapes / sizeof *shapes };
      for (int i = 0; i < shapes_each; i++)
        {
          const int64_t *d = shapes[random_below (SHAPES)];
          compare (f, d[0], d[1], d[2], gpr_instances[f].traits & GPR_PRODUCTS && random_below (2), f % 8 && shapes_each == 1 ? TORN : WAYS);
        }
    }
  compare (GPR_sum_f64, 1, 2000000, 1, false, 2 * WAYS);
  compare (GPR_max_f32, 1, 5000001, 1, false, WAYS);
  compare (GPR_sum_f64, 1, 700000, 1, true, 2 * WAYS);
  compare (GPR_sum_f64, 5, 100000, 3, false, 2 * WAYS);
  compare (GPR_sum_f64, 1, 1000, 1500, false, 2 * WAYS);
  compare (GPR_sum_f64, 1, 2048, 65, false, 2 * WAYS);
  compare (GPR_sum_f64, 2048, 333, 1, false, 2 * WAYS);
  compare (GPR_sum_f64, 1, 3000, 40, true, 2 * WAYS);
  compare (GPR_max_f32, 1, 3001, 33, false, 2 * WAYS);
  compare (GPR_sum_f64, 1500, 77, 11, true, 2 * WAYS);
  expect (algorithms == (2 << GPR_ALGORITHM_PARTS) - 1 && mailbox > 0 && merged_runs > 0, "not all algorithms: %#x, %ld mailbox, %ld runs of parts", (unsigned) algorithms, mailbox, merged_runs);

  rule ("a_product_in_doubt_is_settled_behind_its_tree_once");
  for (some_left = 0; some_left < 2; some_left++)
    for (int resident = 0; resident < 2; resident++)
      {
        enum { ROWS = 3000 };
        double x[2][ROWS], y[2] = { 0 };
        void *there[2] = { NULL };
        const gpr_cuda_view in = gpr_cuda_bytes (x, sizeof x), out = gpr_cuda_bytes (y, sizeof y);
        for (int k = 0; k < 2 * ROWS; k++)
          x[k / ROWS][k % ROWS] = k / ROWS ? 1e3 : 1;
        expect (gpr_cuda_enter (&s, NULL, NULL, NULL) == GPR_OK && gpr_cuda_take (s, &there[0], sizeof x) == GPR_OK
                && gpr_cuda_take (s, &there[1], sizeof y) == GPR_OK && gpr_cuda_upload (s, there[0], &in) == GPR_OK, "%s", gpr_message ());
        gpr_reduction r = { .instance = GPR_prod_f64, .inner = 1, .length = ROWS, .outer = 2, .x = there[0], .x_resident = true,
                            .value = resident ? there[1] : y, .out_resident = resident };
        settled_behind = 0;
        expect (reduce (&r) == GPR_OK && settled_behind == 1, "%d times, %s", settled_behind, gpr_message ());
        if (resident)
          expect (gpr_cuda_enter (&s, NULL, NULL, NULL) == GPR_OK && gpr_cuda_download (s, &out, there[1]) == GPR_OK, "%s", gpr_message ());
        gpr_cuda_finish (s);
        expect (y[0] == 1 && y[1] == HUGE_VAL && r.needs_fixup == (some_left == 1), "%g, %g, %d", y[0], y[1], r.needs_fixup);
        gpr_cuda_give (there[0]);
        gpr_cuda_give (there[1]);
      }
  settled_behind = -1;

  rule ("a_thread_works_for_its_device_whichever_is_selected");
  {
    thread_of threads[3];
    expect (gpr_cuda_select (2) == GPR_OK, "%s", gpr_message ());
    for (int k = 0; k < 3; k++)
      {
        threads[k].device = 1 + k;
        pthread_create (&threads[k].thread, NULL, ask_device, &threads[k]);
      }
    for (int k = 0; k < 3; k++)
      {
        pthread_join (threads[k].thread, NULL);
        expect (threads[k].others == 0, "GPU %d: %d calls were another's", k + 1, threads[k].others);
      }
    gpr_cuda_state *s;
    expect (gpr_cuda_enter (&s, NULL, NULL, NULL) == GPR_OK && s->number == 1, "the selected one is another");
  }

  rule ("what_is_copied_from_one_gpu_to_another_is_there");
  for (int from = 1; from <= 3; from++)
    for (int to = 1; to <= 3; to++)
      {
        const size_t bytes = 1 + (size_t) random_below (100000);
        gpr_cuda_state *a, *b;
        void *there = NULL, *here = NULL;
        char *given = malloc (bytes), *got = malloc (bytes);
        random_fill (given, 'i', 1, (int64_t) bytes, PLAIN);
        const gpr_cuda_view out = gpr_cuda_bytes (given, bytes), back = gpr_cuda_bytes (got, bytes);
        expect (gpr_cuda_enter_device (&a, from) == GPR_OK && gpr_cuda_take (a, &there, bytes) == GPR_OK && gpr_cuda_upload (a, there, &out) == GPR_OK, "%s", gpr_message ());
        gpr_cuda_finish (a);
        expect (gpr_cuda_enter_device (&b, to) == GPR_OK && gpr_cuda_take (b, &here, bytes) == GPR_OK, "%s", gpr_message ());
        expect (copied (to, here, from, there, bytes), "%s", gpr_message ());
        expect (gpr_cuda_enter_device (&b, to) == GPR_OK && gpr_cuda_download (b, &back, here) == GPR_OK, "%s", gpr_message ());
        gpr_cuda_finish (b);
        expect (memcmp (given, got, bytes) == 0, "from %d to %d", from, to);
        gpr_cuda_give (there);
        gpr_cuda_give (here);
        free (given);
        free (got);
      }

  rule ("several_copies_begin_together_and_all_are_there_and_one_that_fails_is_named");
  for (int round = 0; round < 40; round++)
    {
      enum { COPIES = 5, BYTES = 2000 };
      const int late_us = fake_late_us;
      gpr_cuda_transfer t[COPIES];
      char given[COPIES][BYTES], got[COPIES][BYTES];
      int failed;
      fake_late_us = 2000;
      for (int k = 0; k < COPIES; k++)
        {
          gpr_cuda_state *s;
          void *from = NULL, *to = NULL;
          const gpr_cuda_view out = gpr_cuda_bytes (given[k], BYTES);
          t[k] = (gpr_cuda_transfer) { .to_device = 1 + (int) random_below (3), .from_device = 1 + (int) random_below (3), .bytes = BYTES };
          if (random_below (2)) /* all, by rows */
            {
              t[k].by_rows = true;
              t[k].bytes = t[k].to_pitch = t[k].from_pitch = BYTES / (t[k].rows = 10);
            }
          random_fill (given[k], 'i', 1, BYTES, PLAIN);
          expect (gpr_cuda_enter_device (&s, t[k].to_device) == GPR_OK && gpr_cuda_take (s, &to, BYTES) == GPR_OK, "%s", gpr_message ());
          expect (gpr_cuda_enter_device (&s, t[k].from_device) == GPR_OK && gpr_cuda_take (s, &from, BYTES) == GPR_OK
                  && gpr_cuda_upload (s, from, &out) == GPR_OK, "%s", gpr_message ());
          t[k].from = from;
          t[k].to = to;
        }
      const int wrong = round % 2 ? (int) random_below (COPIES) : -1;
      if (wrong >= 0)
        t[wrong].from_device = 1000;
      expect ((gpr_cuda_copy (t, COPIES, &failed) == GPR_OK) == (wrong < 0) && (wrong < 0 || failed == wrong), "copy %d failed, not %d", failed, wrong);
      for (int k = 0; k < COPIES; k++)
        {
          gpr_cuda_state *s;
          const gpr_cuda_view back = gpr_cuda_bytes (got[k], BYTES);
          expect (gpr_cuda_enter_device (&s, t[k].to_device) == GPR_OK && (wrong >= 0 || gpr_cuda_download (s, &back, t[k].to) == GPR_OK), "%s", gpr_message ());
          expect (wrong >= 0 || memcmp (given[k], got[k], BYTES) == 0, "copy %d from %d to %d", k, t[k].from_device, t[k].to_device);
          gpr_cuda_finish (s);
          gpr_cuda_give (t[k].to);
          gpr_cuda_give ((void *) (uintptr_t) t[k].from);
        }
      fake_late_us = late_us;
    }

  rule ("copies_without_rows_or_bytes_copy_nothing");
  {
    char guarded[8] = "as ever";
    int failed;
    const gpr_cuda_transfer t[] = {
      { .to_device = 1, .from_device = 2, .to = guarded, .bytes = 4, .by_rows = true, .to_pitch = 4, .from_pitch = 4 },
      { .to_device = 1, .from_device = 2, .to = guarded, .by_rows = true, .rows = 3 }, { .to_device = 2, .from_device = 1, .to = guarded }
    };
    expect (gpr_cuda_copy (t, 3, &failed) == GPR_OK && strcmp (guarded, "as ever") == 0, "%s", gpr_message ());
  }

  rule ("what_is_copied_from_a_gpu_is_what_came_before_and_not_what_comes_after");
  {
    enum { BYTES = 3000 };
    const int late_us = fake_late_us;
    char given[BYTES], got[BYTES], later[BYTES];
    const gpr_cuda_view out = gpr_cuda_bytes (given, BYTES), over = gpr_cuda_bytes (later, BYTES), back = gpr_cuda_bytes (got, BYTES);
    fake_late_us = 3000;
    memset (later, 0, BYTES);
    for (int round = 0; round < 60; round++)
      {
        gpr_cuda_state *a, *b;
        void *there = NULL, *here = NULL;
        random_fill (given, 'i', 1, BYTES, PLAIN);
        bool good = gpr_cuda_enter_device (&b, 2) == GPR_OK && gpr_cuda_take (b, &here, BYTES) == GPR_OK
                    && gpr_cuda_enter_device (&a, 1) == GPR_OK && gpr_cuda_take (a, &there, BYTES) == GPR_OK;
        good = good && gpr_cuda_upload (a, there, &out) == GPR_OK && copied (2, here, 1, there, BYTES);
        good = good && gpr_cuda_enter_device (&a, 1) == GPR_OK && gpr_cuda_upload (a, there, &over) == GPR_OK;
        good = good && gpr_cuda_enter_device (&b, 2) == GPR_OK && gpr_cuda_download (b, &back, here) == GPR_OK;
        expect (good && memcmp (given, got, BYTES) == 0, "round %d: %s", round, gpr_message ());
        gpr_cuda_finish (a);
        gpr_cuda_finish (b);
        gpr_cuda_give (there);
        gpr_cuda_give (here);
      }
    fake_late_us = late_us;
  }

  rule ("a_call_that_fails_leaves_nothing_behind_and_the_next_one_works");
  {
    const int64_t n = 400000;
    double *x = malloc (n * sizeof *x), sum = 0, want = 0;
    gpr_reduction r = { .instance = GPR_sum_f64, .inner = 1, .length = n, .outer = 1, .x = x, .value = &want };
    random_fill (x, 'f', 8, n, PLAIN);
    gpr_cpu_backend.reduce (&r);
    r.value = &sum;
    gpr_config.threads = 3;
    for (int way = 0; way < 2 * WAYS; way++)
      {
        int failed = 0;
        if (way >= WAYS && way % WAYS >= TORN && test_cases (30) < 30)
          continue;
        gpr_config.in_place_threads = way < WAYS ? 0 : 4;
        /* Three devices have thrice as many places, which are alike.  */
        for (int nth = 1; nth < 2000; nth += way % WAYS == THREE && nth > 20 && test_cases (30) < 30 ? 41 : 1)
          {
            s->locks_fail = false;
            if (nth % 10 == 1)
              {
                gpr_cuda_free_ring (s);
                gpr_cuda_trim_cache ();
              }
            sum = 0;
            gpr_injected.memory = nth % 2;
            gpr_injected.until = nth;
            gpr_status status = ways[way % WAYS].reduce (&r);
            bool hit = gpr_injected.until == 0;
            gpr_injected.until = 0;
            failed += status != GPR_OK;
            /* UNSUPPORTED would have Octave do it on the host.  */
            expect (status == GPR_OK ? memcmp (&sum, &want, sizeof sum) == 0 : hit && status != GPR_UNSUPPORTED && gpr_message ()[0] != '\0',
                    "fault %d, way %d: status %d (%s), %g not %g", nth, way, status, gpr_message (), sum, want);
            at_rest ("a fault");
            if (! hit)
              break;
          }
        expect (failed > (way % WAYS == BOTH ? 0 : 3), "way %d: only %d failed", way, failed);
      }
    expect (reduce (&r) == GPR_OK && memcmp (&sum, &want, sizeof sum) == 0, "%g not %g", sum, want);
    at_rest ("a call");

    rule ("an_interruption_is_seen_in_the_middle_and_leaves_nothing_behind");
    int stopped = 0;
    for (int i = 0; i < 40; i++)
      {
        pthread_t other;
        gpr_config.in_place_threads = i % 4 ? 0 : 4;
        pthread_create (&other, NULL, press, &i);
        gpr_status status = ways[i % 3].reduce (&r);
        pthread_join (other, NULL);
        expect (status == GPR_INTERRUPTED || (status == GPR_OK && memcmp (&sum, &want, sizeof sum) == 0), "status %d", status);
        stopped += status == GPR_INTERRUPTED;
        at_rest ("an interruption");
        flag = 0;
      }
    expect (stopped > 0, "none of 40 was stopped");

    rule ("a_kernel_that_ends_without_its_result_is_an_error");
    int lost = 0;
    silent = true;
    for (int i = 0; i < 20; i++)        /* some of them off an aligned place, and so without a mailbox */
      {
        gpr_status status = fold_resident (&r);
        expect (status == GPR_OK || status == GPR_DEVICE_LOST, "status %d", status);
        lost += status == GPR_DEVICE_LOST;
        at_rest ("a kernel without a result");
      }
    expect (lost == 20, "noticed %d times of 20", lost);
    silent = false;
    expect (fold_resident (&r) == GPR_OK && memcmp (&sum, &want, sizeof sum) == 0, "%g not %g", sum, want);
    free (x);
  }

  rule ("a_reset_gives_back_all_memory");
  for (int device = fake_devices; device > 0; device--)
    expect (gpr_cuda_select (device) == GPR_OK && gpr_cuda_reset () == GPR_OK, "%s", gpr_message ());
  gpr_cuda_trim_cache ();
  expect (fake.pinned_blocks == 0, "%ld blocks pinned", fake.pinned_blocks);
  return verdict ();
}
