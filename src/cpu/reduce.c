/* Reductions on the CPU: parts of the tree, spread over OpenMP threads, and merged.  */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../core/map.h"

/* ---- results that some elements decide ------------------------------------------ */

/* The accumulator that no further element changes (any, all); -1: there is none.  */
static int
deciding_value (const gpr_cpu_job *g)
{
  return g->info->traits & GPR_DECIDED_BY_1 ? 1 : g->info->traits & GPR_DECIDED_BY_0 ? 0 : -1;
}

/* Columns that a further element may change.  */
static int64_t
undecided (int value, const void *acc, int64_t columns)
{
  const u8 *a = acc;
  int64_t open = 0;
  for (int64_t c = 0; c < columns; c++)
    open += a[c] != value;
  return open;
}

static bool
decided (int value, const void *acc, int64_t columns)
{
  return value >= 0 && undecided (value, acc, columns) == 0;
}

/* Tells by the first rows of the columns of a unit, or of units from there on, how many of them are decided, and puts their
   results.  Often no more is needed, and no thread to wake.  As many rows again are looked at while that decides half of the columns that are left.  */
static int64_t
decided_at_once (const gpr_cpu_job *g, int64_t unit, int64_t units)
{
  enum { FEW = 128, ROWS = 8, MOST = 1 << 16 };
  const gpr_tree *t = &g->tree;
  const gpr_reduction *r = g->r;
  const int value = deciding_value (g);
  int64_t k = 0;
  u8 acc[1024];

  if (value < 0 || g->terms)
    return 0;
  if (t->inner == 1)
    return g->loops->short_rows ((const char *) r->x + unit * t->length * g->info->elem_bytes, t->length, units, 1, 0,
                                 (u8 *) r->value + unit, NULL);
  for (; k < units; k++)
    {
      const int64_t outer = (unit + k) / t->tiles, tile = (unit + k) % t->tiles, columns = gpr_cpu_columns (g, tile);
      const int64_t few = ROWS + FEW / columns;
      const char *x = (const char *) r->x + (outer * t->length * t->inner + tile * t->columns) * g->info->elem_bytes;
      g->loops->init (acc, columns);
      g->loops->lanes (acc, x, t->inner, 1, columns, 0, 1, columns);
      int64_t open = undecided (value, acc, columns), before = 2 * columns;
      for (int64_t row = 1, rows; open > 0 && open <= before / 2 && row < t->length && row * columns < MOST; row += rows)
        {
          rows = row < few ? few - row : row;
          rows = rows < t->length - row ? rows : t->length - row;
          g->loops->lanes (acc, x + row * t->inner * g->info->elem_bytes, t->inner, rows, columns, row, 1, columns);
          before = open;
          open = undecided (value, acc, columns);
        }
      if (open > 0)
        break;
      gpr_cpu_finish (g, outer, tile, acc);
    }
  return k;
}

/* ---- all parts of some columns on one thread --------------------------------------- */

/* The tree over parts merges neighbours pairwise, level by level, an odd last one passing on.  That
   is what a binary counter does that merges trees of one height as parts arrive.  */
int
gpr_cpu_reduce_tile (const gpr_cpu_job *g, int64_t outer, int64_t tile, char *scratch)
{
  const size_t level_bytes = (size_t) gpr_tree_width (g->info->acc_bytes) * g->info->acc_bytes;
  const int64_t columns = gpr_cpu_columns (g, tile);
  const int value = deciding_value (g);
  int height[GPR_CPU_LEVELS + 1], top = 0;      /* a stack of partial trees, the highest first */

  if (decided_at_once (g, outer * g->tree.tiles + tile, 1))
    return 0;
  for (int64_t p = 0; p < g->tree.parts; p++)
    {
      if (gpr_interrupted ())
        return 0;
      gpr_cpu_reduce_part (g, outer, tile, p, scratch + top * level_bytes);
      if (decided (value, scratch + top * level_bytes, columns))
        return gpr_cpu_finish (g, outer, tile, scratch + top * level_bytes);
      height[top++] = 0;
      while (top > 1 && height[top - 1] == height[top - 2])
        {
          top--;
          g->loops->merge (scratch + (top - 1) * level_bytes, scratch + top * level_bytes, columns);
          height[top - 1]++;
        }
    }
  for (; top > 1; top--)
    g->loops->merge (scratch + (top - 2) * level_bytes, scratch + (top - 1) * level_bytes, columns);
  return gpr_cpu_finish (g, outer, tile, scratch);
}

/* ---- the parts of few units on all threads -------------------------------------------- */

/* scratch: level_bytes for each thread, then an accumulator for each unit, part and column.  */
static int
reduce_together (const gpr_cpu_job *g, int64_t from, int64_t units, int threads, char *scratch, size_t level_bytes)
{
  const gpr_tree *t = &g->tree;
  const size_t stride = (size_t) t->columns * g->info->acc_bytes;
  const int value = deciding_value (g);
  char *partial = scratch + threads * level_bytes;
  atomic_bool done[units];
  int needs_fixup = 0;

  for (int64_t u = 0; u < units; u++)
    done[u] = false;
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static)
  for (int64_t i = from * t->parts; i < units * t->parts; i++)
    if (! gpr_interrupted ())
      {
        const int64_t unit = i / t->parts, outer = unit / t->tiles, tile = unit % t->tiles;
        char *own = scratch + gpr_cpu_thread_number () * level_bytes;
        if (done[unit])
          {
            memset (partial + i * stride, value, stride);
            continue;
          }
        gpr_cpu_reduce_part (g, outer, tile, i % t->parts, own);
        memcpy (partial + i * stride, own, stride);
        if (decided (value, own, gpr_cpu_columns (g, tile)))
          done[unit] = true;
      }
  for (int64_t u = from; u < units; u++)
    {
      char *first = partial + u * t->parts * stride;
      for (int64_t step = 1; step < t->parts; step *= 2)
        for (int64_t p = 0; p + step < t->parts; p += 2 * step)
          g->loops->merge (first + p * stride, first + (p + step) * stride, t->columns);
      needs_fixup |= gpr_cpu_finish (g, u / t->tiles, u % t->tiles, first);
    }
  return needs_fixup;
}

/* ---- the reduction ---------------------------------------------------------------------- */

/* Below this a parallel region costs more than it saves.  */
static const int64_t serial_bytes = 1 << 19;

static int
reduce_nothing (const gpr_cpu_job *g)           /* every result is the identity's */
{
  const gpr_reduction *r = g->r;
  char acc[GPR_ACC_BYTES] __attribute__ ((aligned (16)));
  int needs_fixup = 0;
  g->loops->init (acc, 1);
  for (int64_t i = 0; i < r->inner * r->outer; i++)
    needs_fixup |= g->loops->finish (acc, 1, r->divisor, (char *) r->value + i * g->info->value_bytes,
                                     r->index ? r->index + i : NULL);
  return needs_fixup;
}

static int
reduce_short_rows (const gpr_cpu_job *g, int threads)
{
  const int64_t outer = g->tree.outer, batch = 1 + 32768 / g->tree.length, batches = (outer + batch - 1) / batch;
  int needs_fixup = 0;
  (void) threads;               /* without OpenMP */
  #pragma omp parallel for num_threads (threads) if (threads > 1) reduction (| : needs_fixup)
  for (int64_t b = 0; b < batches; b++)
    if (! gpr_interrupted ())
      needs_fixup |= gpr_cpu_short_rows (g, b * batch, outer - b * batch < batch ? outer - b * batch : batch);
  return needs_fixup;
}

static int
reduce_tiles (const gpr_cpu_job *g, int64_t from, int threads, char *scratch)
{
  const int64_t tiles = g->tree.tiles, units = g->tree.outer * tiles;
  int needs_fixup = 0;
  (void) threads;               /* without OpenMP */
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (static) reduction (| : needs_fixup)
  for (int64_t unit = from; unit < units; unit++)
    if (! gpr_interrupted ())
      needs_fixup |= gpr_cpu_reduce_tile (g, unit / tiles, unit % tiles, scratch + gpr_cpu_thread_number () * gpr_cpu_tile_bytes (g));
  return needs_fixup;
}

/* What any tree finds with the same bits: parts as few as keep all threads busy, since merging takes time, too, and of several
   2 MiB or so, after which the call can be interrupted.  */
static void
lengthen_parts (const gpr_cpu_job *g, gpr_tree *t, int threads)
{
  const int64_t units = t->outer * t->tiles, few = units < 4 * threads && threads > 1 ? 4 * threads : 1;
  if ((g->info->traits & (GPR_EXACT | GPR_FIXUP_MASK)) != GPR_EXACT || deciding_value (g) >= 0)
    return;
  while (t->parts > few && t->rows * t->columns * g->info->elem_bytes <= 1 << 21)
    {
      t->rows *= 2;
      t->parts = (t->length + t->rows - 1) / t->rows;
    }
}

static gpr_status
reduce (gpr_reduction *r, const gpr_cpu_terms *terms, atomic_bool *left)
{
  gpr_cpu_job g = gpr_cpu_job_of (r);
  gpr_tree *const t = &g.tree;
  const size_t level_bytes = (size_t) gpr_tree_width (g.info->acc_bytes) * g.info->acc_bytes;
  const int64_t units = t->outer * t->tiles;
  int threads = 1, needs_fixup = 0;

  g.terms = terms;
  g.left = left;
  if (r->length == 0)
    {
      r->needs_fixup = reduce_nothing (&g) != 0;
      return GPR_OK;
    }
  if (r->inner * r->length * r->outer * g.info->elem_bytes >= serial_bytes && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  lengthen_parts (&g, t, threads);

  if (gpr_cpu_has_short_rows (&g))
    needs_fixup = reduce_short_rows (&g, threads);
  else
    {
      /* Threads take tiles; where there are few, they share the parts of each.  */
      const int64_t from = decided_at_once (&g, 0, units);
      const bool together = t->parts > 1 && units < 4 * threads && threads > 1;
      const size_t bytes = together ? threads * level_bytes + units * t->parts * t->columns * g.info->acc_bytes
                           : threads * gpr_cpu_tile_bytes (&g);
      char *scratch = from < units ? malloc (bytes) : NULL;
      if (from < units && ! scratch)
        return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of scratch memory for %lld parts, %d threads",
                         bytes, (long long) t->parts, threads);
      if (from < units)
        needs_fixup = together ? reduce_together (&g, from, units, threads, scratch, level_bytes)
                      : reduce_tiles (&g, from, threads, scratch);
      free (scratch);
    }
  if (r->rows && r->index)
    for (int64_t i = 0; i < r->inner * r->outer; i++)
      ((double *) r->index)[i] = (double) (int64_t) ((uint64_t) r->index[i] + 1);    /* of INT64_MAX negative */
  r->needs_fixup = needs_fixup != 0;
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

/* Elements of an expression are made some at a time, where they are reduced.  */
static gpr_status
reduce_terms (gpr_reduction *r)
{
  gpr_cpu_terms *terms = r->index || r->y || r->terms->asked ? NULL : gpr_cpu_terms_make (r->terms);
  gpr_reduction of_terms = *r;
  atomic_bool left = false;

  r->fused = r->terms->asked && ! r->index && ! r->y;
  if (! terms)
    return GPR_OK;
  of_terms.x = terms;           /* any address: elements are told by their distance from it */
  gpr_status status = reduce (&of_terms, terms, &left);
  free (terms);
  r->needs_fixup = of_terms.needs_fixup;
  r->fused = status == GPR_OK && ! left;
  return status;
}

gpr_status
gpr_cpu_reduce (gpr_reduction *r)
{
  return r->terms ? reduce_terms (r) : reduce (r, NULL, NULL);
}
