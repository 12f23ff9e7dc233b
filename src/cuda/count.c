/* One counting.  As for reductions: boxes of outers or columns whose tables fit in
   the scratch, each counted chunk by chunk into 64-bit counts, which end as
   doubles.  A chunk whose outers are long runs of elements is counted by the
   kernels of histogram.h, any other by count_k; those of an expression by a
   kernel of its own, once that is compiled.  */

#include <string.h>

#include "compile.h"
#include "problems.h"
#include "stream.h"
#include "../core/map.h"
#include "../../kernels/engine/engine.h"
#include "histogram.h"

#ifndef GPR_COUNT_LONG
#  define GPR_COUNT_LONG (1 << 16)              /* elements that the kernels of histogram.h count faster, one outer …; tests have fewer */
#  define GPR_COUNT_LONG_OF_MANY (1 << 22)      /* … after the other */
#endif

enum {
  SHARED = 48 << 10,            /* bytes every GPU gives a block unasked */
  SHARED_EDGES = 16 << 10,
  SHARED_COPIES = 32 << 10,     /* beyond, copies cost more blocks than they save collisions */
  MOST_COPIES = GPR_COUNT_THREADS / 32,
  ITEM = 8192                   /* elements of an item, at least, where there are */
};
static const int64_t most_at_once = (int64_t) 1 << 31;          /* elements of a launch of these */

typedef struct {
  gpr_counting *c;
  gpr_cuda_state *s;
  const void *kernel;
  int64_t elem_bytes, edge_count, edge_bytes;
  bool by_histogram;                         /* as a long run: by the plan histogram, whose table edges is then */
  gpr_histogram_plan histogram;
  gpr_cuda_function *compiled;               /* of an expression, which by_histogram goes with, and: */
  gpr_terms_args terms;
  int64_t blocks;                            /* of a launch */

  /* The plan.  */
  int64_t box_outers, box_columns;
  int64_t outers, rows, columns;        /* of a chunk */
  bool x_sent, place_fetched;
  void *edges, *counts, *bin_of;
} job;

static void
make_plan (job *j, size_t room)
{
  const gpr_counting *c = j->c;
  const int64_t column_bytes = c->bins * sizeof (double);
  const int64_t tables = gpr_max64 (1, gpr_min64 (room / 2, GPR_CUDA_SCRATCH) / column_bytes);

  j->box_outers = gpr_max64 (1, gpr_min64 (c->outer, tables / c->inner));
  j->box_columns = gpr_min64 (c->inner, tables);
  j->outers = j->box_outers;
  j->rows = c->length;
  j->columns = j->box_columns;
  j->x_sent = ! c->x_resident && c->length > 0;
  j->place_fetched = c->bin_of && ! c->out_resident && c->length > 0;
  if (! j->x_sent && ! j->place_fetched)
    return;

  int64_t most = gpr_min64 (GPR_CUDA_CHUNK, room / (4 * GPR_CUDA_SLOTS)), elements = most / j->elem_bytes;
  if (j->place_fetched)
    elements = gpr_min64 (elements, 2 * most / (int64_t) sizeof (double));
  elements = gpr_max64 (1, elements);
  if (c->length * j->columns <= elements)
    j->outers = gpr_min64 (j->outers, elements / (c->length * j->columns));
  else
    {
      j->outers = 1;
      j->columns = gpr_min64 (j->columns, elements);
      j->rows = gpr_max64 (1, gpr_min64 (c->length, elements / j->columns));
    }
}

static gpr_status
allocate (job *j)
{
  int64_t elements = j->outers * j->rows * j->columns;
  if (j->edge_bytes > 0)
    GPR_TRY (gpr_cuda_take (j->s, &j->edges, j->edge_bytes));
  GPR_TRY (gpr_cuda_take (j->s, &j->counts, j->box_outers * j->box_columns * j->c->bins * sizeof (double)));
  if (j->x_sent)
    GPR_TRY (gpr_cuda_equip_slots (j->s, GPR_CUDA_SLOTS, elements * j->elem_bytes));
  if (j->place_fetched)
    GPR_TRY (gpr_cuda_take (j->s, &j->bin_of, elements * sizeof (double)));
  return GPR_OK;
}

static void
release (job *j)
{
  gpr_cuda_give (j->edges);
  gpr_cuda_give (j->counts);
  gpr_cuda_give (j->bin_of);
  gpr_cuda_strip_slots (j->s);
  j->edges = j->counts = j->bin_of = NULL;
}

/* Cuts the chunk into items and says how many bytes of shared memory a block
   needs.  */
static size_t
cut (const job *j, gpr_count_args *a)
{
  const int64_t table = a->bins * sizeof (uint32_t);
  const int64_t most_elements = (int64_t) 1 << 30;
  int64_t edges, fit;

  a->edges_shared = j->edge_count > 0 && j->edge_bytes <= SHARED_EDGES;
  edges = a->edges_shared ? j->edge_bytes : 0;
  fit = (SHARED - edges) / table;
  if (fit == 0 && table <= (int64_t) j->s->shared_bytes - edges)
    fit = 1;

  a->tile_outers = 1;
  a->tile_columns = gpr_min64 (a->columns, fit > 0 ? fit : most_elements);
  if (fit > 0 && a->tile_columns == a->columns && a->rows * a->columns < ITEM)
    a->tile_outers = gpr_max64 (1, gpr_min64 (gpr_min64 (a->outers, fit / a->columns), ITEM / (a->rows * a->columns)));
  a->outer_tiles = gpr_over (a->outers, a->tile_outers);
  a->column_tiles = gpr_over (a->columns, a->tile_columns);

  /* Row tiles: enough items to fill the GPU, each worth clearing its tables for.  */
  const int64_t tables = a->tile_outers * a->tile_columns;
  const int64_t worth = gpr_max64 (ITEM, fit > 0 ? 2 * tables * a->bins : 0);
  a->tile_rows = a->rows;
  if (a->tile_outers == 1)
    {
      int64_t wanted = gpr_max64 (1, 4 * j->s->multiprocessors / (a->outer_tiles * a->column_tiles));
      a->tile_rows = gpr_max64 (gpr_over (a->rows, wanted), gpr_over (worth, a->tile_columns));
      a->tile_rows = gpr_max64 (1, gpr_min64 (a->tile_rows, most_elements / a->tile_columns));
      a->tile_rows = gpr_min64 (a->tile_rows, a->rows);
    }
  a->row_tiles = gpr_over (a->rows, a->tile_rows);
  a->copies = fit > 0;
  while (a->copies > 0 && a->copies < MOST_COPIES && 2 * a->copies * tables * table <= gpr_min64 (SHARED_COPIES, fit * table)
         && 4 * a->copies * tables * a->bins <= a->tile_rows * tables)
    a->copies *= 2;
  return edges + (size_t) a->copies * tables * table;
}

static gpr_status
count_chunk (const job *j, gpr_count_args *a)
{
  const size_t shared = cut (j, a);
  if (shared > SHARED)
    GPR_CUDA_TRY (cudaFuncSetAttribute (j->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                  "asking for shared memory");
  return gpr_cuda_launch (j->s, j->kernel, a->outer_tiles * a->row_tiles * a->column_tiles, GPR_COUNT_THREADS, shared, a);
}

/* Where the table of a launch is to be read and added to.  */
static void
direct (job *j, unsigned long long *counts)
{
  gpr_histogram_args *a = &j->histogram.args;
  a->counts = counts;
  a->cuts = j->edges;
  a->buckets = (const uint32_t *) ((const char *) j->edges + j->histogram.buckets_at);
}

/* n elements from x on.  */
static gpr_status
count_run (job *j, const void *x, int64_t n, unsigned long long *counts)
{
  const int64_t blocks = gpr_histogram_place (&j->histogram, n, j->s->multiprocessors, j->s->shared_bytes);
  const size_t shared = gpr_histogram_shared (&j->histogram);
  const void *args = &j->histogram.args;
  if (j->histogram.bytes)
    {
      j->histogram.of_bytes.x = x;
      j->histogram.of_bytes.n = (uint32_t) n;
      j->histogram.of_bytes.counts = counts;
      args = &j->histogram.of_bytes;
    }
  else
    {
      direct (j, counts);
      j->histogram.args.x = x;
      j->histogram.args.n = (uint32_t) n;
    }
  if (shared > SHARED)
    GPR_CUDA_TRY (cudaFuncSetAttribute (j->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared),
                  "asking for shared memory");
  return gpr_cuda_launch (j->s, j->kernel, blocks, GPR_HISTOGRAM_THREADS, shared, args);
}

/* n elements of the expression, from one on.  */
static gpr_status
count_terms (job *j, int64_t first, int64_t n, unsigned long long *counts)
{
  const int64_t vector = 4;     /* elements, at most */
  direct (j, counts);
  const gpr_compiled_histogram_args a = { j->terms, j->histogram.args, first / vector * vector, first, first + n };
  return gpr_cuda_launch_compiled (j->s, j->compiled, j->blocks, GPR_HISTOGRAM_THREADS, (int) gpr_histogram_shared (&j->histogram), &a);
}

/* The outers of a chunk, each a run of elements; the first of them is number `at' of x.  */
static gpr_status
histogram_chunk (job *j, const gpr_count_args *a, int64_t at)
{
  for (int64_t o = 0; o < a->outers; o++)
    for (int64_t r = 0; r < a->rows; r += most_at_once)
      {
        const int64_t n = gpr_min64 (most_at_once, a->rows - r), first = o * a->outer_stride + r;
        unsigned long long *counts = a->counts + o * a->bins;
        GPR_TRY (j->compiled ? count_terms (j, at + first, n, counts) : count_run (j, (const char *) a->x + first * j->elem_bytes, n, counts));
      }
  return GPR_OK;
}

/* Counts elements outer … of x into the box's tables, which begin at
   box_outer, box_column.  */
static gpr_status
run_chunk (job *j, int64_t box_outer, int64_t box_column, int64_t box_columns,
           int64_t outer, int64_t row, int64_t column, int64_t outers, int64_t rows, int64_t columns)
{
  const gpr_counting *c = j->c;
  const int64_t at = column + c->inner * (row + c->length * outer);
  const bool whole = columns == c->inner;
  const char *x = (const char *) c->x + at * j->elem_bytes;
  gpr_cuda_slot *slot;
  gpr_count_args a = {
    .x = x, .row_stride = c->inner, .outer_stride = c->length * c->inner,
    .outers = outers, .rows = rows, .columns = columns,
    .rule = c->rule, .bins = c->bins, .edges = j->edges, .edge_count = j->edge_count,
    .origin = c->origin, .step = c->step,
    .counts = (unsigned long long *) j->counts + (column - box_column) + (outer - box_outer) * c->bins * box_columns,
    .count_columns = box_columns,
    .bin_of = c->bin_of ? c->bin_of + at : NULL, .bin_row_stride = c->inner, .bin_outer_stride = c->length * c->inner
  };

  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  if (j->x_sent)
    {
      gpr_cuda_view v = { (char *) x, columns * j->elem_bytes, c->inner * j->elem_bytes, rows };
      if (whole)
        v = gpr_cuda_bytes (x, (size_t) outers * rows * columns * j->elem_bytes);
      GPR_TRY (gpr_cuda_send (j->s, slot, &v, 1, slot->device));
      a.x = slot->device;
      a.row_stride = columns;
      a.outer_stride = rows * columns;
    }
  if (j->place_fetched)
    {
      a.bin_of = j->bin_of;
      a.bin_row_stride = columns;
      a.bin_outer_stride = rows * columns;
    }

  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (j->by_histogram ? histogram_chunk (j, &a, at) : count_chunk (j, &a));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  if (j->place_fetched)
    {
      gpr_cuda_view v = { (char *) (c->bin_of + at), columns * sizeof (double), c->inner * sizeof (double), rows };
      if (whole)
        v = gpr_cuda_bytes (c->bin_of + at, (size_t) outers * rows * columns * sizeof (double));
      GPR_TRY (gpr_cuda_download (j->s, &v, j->bin_of));
    }
  return GPR_OK;
}

static gpr_status
run_box (job *j, int64_t outer, int64_t column)
{
  const gpr_counting *c = j->c;
  const int64_t outers = gpr_min64 (j->box_outers, c->outer - outer), columns = gpr_min64 (j->box_columns, c->inner - column);
  const size_t bytes = (size_t) outers * columns * c->bins * sizeof (double);

  GPR_CUDA_TRY (cudaMemsetAsync (j->counts, 0, bytes, j->s->work), "clearing counts");
  if (c->length > 0)
    for (int64_t o = 0; o < outers; o += j->outers)
      for (int64_t r = 0; r < c->length; r += j->rows)
        for (int64_t k = 0; k < columns; k += j->columns)
          GPR_TRY (run_chunk (j, outer, column, columns, outer + o, r, column + k, gpr_min64 (j->outers, outers - o),
                              gpr_min64 (j->rows, c->length - r), gpr_min64 (j->columns, columns - k)));

  double *to = c->counts + column + c->inner * c->bins * outer;
  bool mail = bytes <= GPR_CUDA_PINNED_RESULTS;
  gpr_widen_args w = { .in = j->counts, .out = mail ? (double *) j->s->mail : (double *) j->counts,
                       .columns = columns, .out_columns = columns, .rows = outers * c->bins };
  gpr_cuda_view v = { (char *) to, columns * sizeof (double), c->inner * sizeof (double), c->bins };
  gpr_cuda_slot *slot;
  if (columns == c->inner)
    v = gpr_cuda_bytes (to, bytes);
  if (c->out_resident)
    {
      w.out = to;
      w.out_columns = c->inner;
    }
  GPR_TRY (gpr_cuda_next_slot (j->s, &slot));
  GPR_TRY (gpr_cuda_begin_work (j->s, slot));
  GPR_TRY (gpr_cuda_launch (j->s, gpr_engine_widen (), gpr_over (w.columns * w.rows, GPR_REDUCE_THREADS), GPR_REDUCE_THREADS, 0, &w));
  GPR_TRY (gpr_cuda_end_work (j->s, slot));
  if (c->out_resident)
    return GPR_OK;
  if (! mail)
    return gpr_cuda_download (j->s, &v, j->counts);
  GPR_TRY (gpr_cuda_drain (j->s));
  for (int64_t i = 0; i < v.count; i++)
    memcpy (v.host + i * v.stride, j->s->mail + i * v.segment, v.segment);
  return GPR_OK;
}

static gpr_status
run (job *j)
{
  const gpr_counting *c = j->c;
  if (j->edge_bytes > 0)
    {
      gpr_cuda_view v = gpr_cuda_bytes (j->by_histogram ? j->histogram.table : c->edges, j->edge_bytes);
      GPR_TRY (gpr_cuda_upload (j->s, j->edges, &v));
    }
  for (int64_t o = 0; o < c->outer; o += j->box_outers)
    for (int64_t k = 0; k < c->inner; k += j->box_columns)
      GPR_TRY (run_box (j, o, k));
  return gpr_cuda_drain (j->s);
}

/* Whether the kernel for an expression's elements is ready.  */
static bool
find_compiled (job *j)
{
  const gpr_mapping *m = j->c->terms;
  gpr_source_key key;
  gpr_map_args a;

  if (! j->by_histogram || j->histogram.bytes)
    return false;
  gpr_cuda_plan_map (&a, m);
  if (! gpr_source_of_map (&key, &a, m->leaves, j->s->capability))
    return false;
  j->blocks = gpr_histogram_place (&j->histogram, gpr_min64 (most_at_once, j->c->length), j->s->multiprocessors, j->s->shared_bytes);
  gpr_source_counts (&key, &a, &j->histogram);
  j->compiled = gpr_cuda_compiled_for (j->s, &key, a.count);
  const size_t shared = gpr_histogram_shared (&j->histogram);
  if (! j->compiled || (shared > SHARED && ! gpr_cuda_compiled_shares (j->compiled, (int) shared)))
    return false;
  gpr_source_terms (&j->terms, &a, m->leaves);
  return true;
}

gpr_status
gpr_cuda_count (gpr_cuda_state *s, gpr_counting *c)
{
  job j = { .c = c, .s = s, .kernel = gpr_engine_count (c->elem, c->single_precision), .elem_bytes = gpr_bytes_of (c->elem) };
  gpr_status status;

  if (! j.kernel || c->bins < 1)
    return gpr_cuda_fail (GPR_UNSUPPORTED, "counting element type %d into %lld bins", (int) c->elem, (long long) c->bins);
  j.edge_count = gpr_edge_count (c->rule, c->bins);
  j.edge_bytes = j.edge_count * (c->single_precision ? sizeof (float) : sizeof (double));
  j.by_histogram = c->inner == 1 && ! c->bin_of && c->length >= (c->outer == 1 ? GPR_COUNT_LONG : GPR_COUNT_LONG_OF_MANY) && gpr_histogram_make (&j.histogram, c);
  if (j.by_histogram)
    {
      j.kernel = j.histogram.bytes ? gpr_engine_histogram_bytes () : gpr_engine_histogram (c->elem, j.histogram.compared);
      j.edge_bytes = j.histogram.table_bytes;
    }
  if (c->terms)
    {
      c->fused = find_compiled (&j);
      if (! c->fused)
        {
          gpr_histogram_drop (&j.histogram);
          return GPR_OK;
        }
    }

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
  gpr_cuda_finish (j.s);
  release (&j);
  if (j.by_histogram)
    gpr_histogram_drop (&j.histogram);
  return status;
}
