/* Exact sums on the CPU: where columns are few and rows are many, a row of lanes is the next numbers of
   memory, a run, and a column has several lanes; else it is a row of as many outputs.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "exact.h"

/* ---- the work --------------------------------------------------------------------- */

/* One outer index, or a piece of it, as it lies in memory.  */
static void
work_on_run (gpr_exact_worker *w, int64_t unit, int64_t piece)
{
  const gpr_exact_job *g = w->g;
  const int64_t slab = g->inner * g->length, from = piece * g->piece, end = slab < from + g->piece ? slab : from + g->piece;
  const int64_t rows = (end - from) / g->lanes, left = (end - from) % g->lanes;

  gpr_exact_begin (w, (int) g->inner);
  gpr_exact_take_run (w, unit * slab + from, rows);
  if (left > 0)
    gpr_exact_take (w, NULL, unit * slab + end - left, 0, 1, (int) left);
  gpr_exact_join_lanes (w, g->lanes);
  gpr_exact_deliver (w, unit * g->inner);
}

/* As many outputs as lanes, or a piece of their rows.  */
static void
work_on_outputs (gpr_exact_worker *w, int64_t unit, int64_t piece)
{
  const gpr_exact_job *g = w->g;
  const int64_t first = unit * g->lanes, left = g->inner * g->outer - first, row = piece * g->piece;
  const int64_t rows = g->length - row < g->piece ? g->length - row : g->piece;
  const int n = left < g->lanes ? (int) left : g->lanes;
  int64_t at[LANES] = { 0 }, c = first % g->inner, place = c + first / g->inner * g->inner * g->length;
  const int64_t origin = place;

  gpr_exact_begin (w, n);
  for (int j = 0; j < n; j++)
    {
      at[j] = place - origin;
      place++;
      if (++c == g->inner)
        {
          c = 0;
          place += g->inner * (g->length - 1);
        }
    }
  gpr_exact_take (w, at[n - 1] == n - 1 ? NULL : at, origin + row * g->inner, g->inner, rows, n);
  gpr_exact_deliver (w, first);
}

/* Lanes of a run: a multiple of 8 if possible, so that nothing is copied.  */
static int
lanes_of_run (int64_t inner)
{
  int lanes = (int) inner;
  while (2 * lanes <= FEW_LANES || (lanes % 8 != 0 && 2 * lanes <= RUN_LANES))
    lanes *= 2;
  return lanes;
}

static void
plan (gpr_exact_job *g, int threads)
{
  const int64_t slab = g->inner * g->length, few = 8 * threads, least = 1 << 15, most = 1 << 22;

  g->runs = g->inner <= RUN_LANES && slab >= 512;
  g->lanes = g->runs ? lanes_of_run (g->inner) : g->inner >= RUN_LANES ? LANES : RUN_LANES;
  g->units = g->runs ? g->outer : (g->inner * g->outer + g->lanes - 1) / g->lanes;
  const int64_t whole = g->runs ? slab : g->length, each = g->runs ? 1 : g->lanes;
  g->piece = g->units < few ? whole / (few / g->units + 1) + 1 : whole;
  if (g->piece * each < least)
    g->piece = least / each;
  if (g->piece > most)
    g->piece = most;
  if (g->runs)          /* whole rows */
    g->piece = (g->piece + g->inner - 1) / g->inner * g->inner;
  g->pieces = whole > g->piece ? (whole + g->piece - 1) / g->piece : 1;
}

static gpr_status
work (const gpr_exact_job *g, int threads)
{
  const int64_t jobs = g->units * g->pieces;
  gpr_exact_worker *workers = malloc (threads * sizeof *workers);

  if (! workers)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", threads * sizeof *workers);
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic)
  for (int64_t i = 0; i < jobs; i++)
    {
      gpr_exact_worker *w = &workers[gpr_cpu_thread_number ()];
      w->g = g;
      if (! gpr_interrupted ())
        (g->runs ? work_on_run : work_on_outputs) (w, i / g->pieces, i % g->pieces);
    }
  free (workers);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

static void
round_totals (const gpr_exact_job *g)
{
  for (int64_t i = 0; i < g->inner * g->outer; i++)
    gpr_long_put (gpr_long_value (&g->totals[i], g->single_result), g->r->value, i, g->single_result);
}

static gpr_exact_job
job_of (const gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const bool complex = f->elem == GPR_c128 || f->elem == GPR_c64, single = f->elem == GPR_f32 || f->elem == GPR_c64;
  return (gpr_exact_job) { .r = r, .loops = gpr_cpu_vectors ()->expansions, .single = single, .complex = complex, .omit = f->traits & GPR_OMITS_NAN,
                           .single_result = f->value_bytes == (int) (complex ? sizeof (c64) : sizeof (f32)),
                           .levels = r->y && ! single ? GPR_EXPANSION : GPR_EXPANSION - 1,
                           .inner = complex ? 2 * r->inner : r->inner, .length = r->length, .outer = r->outer };
}

static int
threads_for (const gpr_exact_job *g)
{
  int threads = 1;
  if (g->inner * g->length * g->outer >= 1 << 15 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  return threads;
}

gpr_status
gpr_cpu_exact (gpr_reduction *r)
{
  gpr_exact_job g = job_of (r);
  const int threads = threads_for (&g);
  const int64_t outputs = g.inner * g.outer;

  plan (&g, threads);
  g.totals = g.pieces > 1 ? calloc (outputs, sizeof *g.totals) : NULL;
  if (g.pieces > 1 && ! g.totals)
    return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory", outputs * sizeof *g.totals);
  const gpr_status status = work (&g, threads);
  if (status == GPR_OK && g.totals)
    round_totals (&g);
  free (g.totals);
  return status;
}

/* ---- of pieces of an array ------------------------------------------------------------- */

int64_t
gpr_cpu_exact_sums (const gpr_reduction *r, size_t *bytes)
{
  const gpr_exact_job g = job_of (r);
  *bytes = sizeof *g.totals;
  return g.inner * g.outer;
}

gpr_status
gpr_cpu_exact_totals (const gpr_reduction *r, void *totals)
{
  gpr_exact_job g = job_of (r);
  const int threads = threads_for (&g);

  memset (totals, 0, g.inner * g.outer * sizeof *g.totals);
  if (r->length == 0)
    return GPR_OK;
  plan (&g, threads);
  g.totals = totals;
  const gpr_status status = work (&g, threads);
  for (int64_t i = 0; i < g.inner * g.outer; i++)
    gpr_long_settle (&g.totals[i]);
  return status;
}

void
gpr_cpu_exact_add (void *to, const void *from, int64_t count)
{
  for (int64_t i = 0; i < count; i++)
    {
      gpr_long_merge ((gpr_long_sum *) to + i, (const gpr_long_sum *) from + i);
      gpr_long_settle ((gpr_long_sum *) to + i);
    }
}

void
gpr_cpu_exact_round (const gpr_reduction *r, void *totals)
{
  gpr_exact_job g = job_of (r);
  g.totals = totals;
  round_totals (&g);
}
