/* Exact sums on the CPU.  Numbers are real here: of complex arrays the parts are columns, two for
   each, so that x has inner * length * outer numbers, and an output is one.

   Up to GPR_CPU_LANES numbers at a time are added to as many expansions.  Where columns are few and
   rows are many, these are the next numbers of memory, and a column has several lanes; else a row of
   as many outputs.  What an expansion does not hold goes to a long sum, which most outputs never have.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "part.h"
#include "../../kernels/ops/exact.h"

enum { LANES = GPR_CPU_LANES };

typedef struct {
  const gpr_reduction *r;
  const gpr_cpu_expansions *loops;
  bool single, complex, omit, single_result;
  int levels;
  int64_t inner, length, outer;
  bool runs;                    /* lanes are the next numbers of memory */
  int64_t units, pieces, piece; /* units of work: outputs or outers, in pieces of so many numbers or rows */
  gpr_long_sum *totals;         /* of each output, where there are several pieces */
} job;

/* What a thread works with.  */
typedef struct {
  const job *g;
  double a[GPR_EXPANSION * LANES], rest[LANES], x[LANES], y[LANES], u[LANES], v[LANES], p[LANES], e[LANES];
  int columns;                  /* lane j is of column j % columns */
  bool used[LANES];
  gpr_long_sum sums[LANES];     /* of the columns that used them */
} worker;

/* ---- addends --------------------------------------------------------------------- */

static gpr_long_sum *
sum_of (worker *w, int lane)
{
  const int column = lane % w->columns;
  if (! w->used[column])
    memset (&w->sums[column], 0, sizeof w->sums[column]);
  w->used[column] = true;
  return &w->sums[column];
}

/* x has zeros up to the next multiple of 8.  */
static void
feed (worker *w, const double *x, int n)
{
  const int left = w->g->loops->add (w->a, w->g->levels, x, (n + 7) & ~7, w->rest);
  const double *from = left < 0 ? x : w->rest;
  for (int j = 0; j < n && left != 0; j++)
    if (from[j] != 0)
      gpr_long_add (sum_of (w, j), from[j]);
}

/* n numbers from at on, or at at[j] + from, as doubles.  */
static void
fetch (const job *g, const void *array, const int64_t *at, int64_t from, int n, double *to)
{
  if (g->single && at)
    for (int j = 0; j < n; j++)
      to[j] = ((const float *) array)[at[j] + from];
  else if (g->single)
    for (int j = 0; j < n; j++)
      to[j] = ((const float *) array)[from + j];
  else if (at)
    for (int j = 0; j < n; j++)
      to[j] = ((const double *) array)[at[j] + from];
  else
    memcpy (to, (const double *) array + from, n * sizeof *to);
  for (int j = n; j & 7; j++)
    to[j] = 0;
}

/* NaN, and complex numbers with one, count as 0.  */
static void
leave_out (const job *g, double *x, int n)
{
  if (g->complex)
    for (int j = 0; j < n; j += 2)
      {
        const bool nan = x[j] != x[j] || x[j + 1] != x[j + 1];
        x[j] = nan ? 0 : x[j];
        x[j + 1] = nan ? 0 : x[j + 1];
      }
  else
    for (int j = 0; j < n; j++)
      x[j] = x[j] == x[j] ? x[j] : 0;
}

/* Products of single precision are doubles.  */
static void
feed_products (worker *w, const double *x, const double *y, int n, bool negative)
{
  const job *g = w->g;
  const int padded = (n + 7) & ~7;

  if (! g->loops->multiply (x, y, w->p, w->e, padded))
    {
      for (int j = 0; j < n; j++)
        gpr_long_add_product (sum_of (w, j), x[j], y[j], negative && ! (j & 1));
      return;
    }
  for (int j = 0; j < padded && negative; j += 2)
    {
      w->p[j] = -w->p[j];
      w->e[j] = -w->e[j];
    }
  feed (w, w->p, n);
  if (! g->single)
    feed (w, w->e, n);
}

/* conj (x) * y: the products of both real parts, both imaginary parts; and those across.  The
   conjugate's sign is set as gpr_times_c128 does.  */
static void
feed_complex_products (worker *w, int n)
{
  const int padded = (n + 7) & ~7;

  for (int j = 0; j < padded; j++)
    {
      w->u[j] = w->x[j & ~1];
      w->v[j] = w->y[j];
    }
  feed_products (w, w->u, w->v, n, false);
  for (int j = 0; j < padded; j++)
    {
      w->u[j] = gpr_from_bits_f64 (gpr_bits_f64 (w->x[j | 1]) ^ (uint64_t) 1 << 63);
      w->v[j] = w->y[j ^ 1];
    }
  feed_products (w, w->u, w->v, n, true);
}

static void
take (worker *w, const int64_t *at, int64_t from, int n)
{
  const job *g = w->g;

  if (! g->r->y && ! g->single && ! g->omit && ! at && n % 8 == 0)
    {
      feed (w, (const double *) g->r->x + from, n);
      return;
    }
  fetch (g, g->r->x, at, from, n, w->x);
  if (g->omit)
    leave_out (g, w->x, n);
  if (! g->r->y)
    {
      feed (w, w->x, n);
      return;
    }
  fetch (g, g->r->y, at, from, n, w->y);
  if (g->complex)
    feed_complex_products (w, n);
  else
    feed_products (w, w->x, w->y, n, false);
}

/* ---- results --------------------------------------------------------------------- */

static void
begin (worker *w, int columns)
{
  w->columns = columns;
  memset (w->a, 0, sizeof w->a);
  memset (w->used, 0, sizeof w->used);
}

/* Adds the lanes of each column into its first, half of them to the other half.  */
static void
join_lanes (worker *w, int lanes)
{
  for (int half = lanes / 2; half >= w->columns; half /= 2)
    for (int level = 0; level < w->g->levels; level++)
      {
        memset (w->x, 0, sizeof w->x);
        memcpy (w->x, w->a + level * LANES + half, half * sizeof *w->x);
        feed (w, w->x, half);
      }
}

/* Output number output is that of a column.  */
static void
deliver (worker *w, int64_t output, int column)
{
  const job *g = w->g;
  const double *a = w->a + column, third = g->levels > 2 ? a[2 * LANES] : 0;

  if (! g->totals && ! w->used[column])
    {
      if (g->single_result)
        ((float *) g->r->value)[output] = gpr_expansion_f32 (a[0], a[LANES]);
      else
        ((double *) g->r->value)[output] = gpr_expansion_f64 (a[0], a[LANES], third);
      return;
    }
  gpr_long_sum *s = sum_of (w, column);
  for (int level = 0; level < g->levels; level++)
    gpr_long_add (s, a[level * LANES]);
  if (! g->totals)
    {
      gpr_long_put (gpr_long_value (s, g->single_result), g->r->value, output, g->single_result);
      return;
    }
  gpr_long_settle (s);
  #pragma omp critical (gpr_cpu_exact_totals)
  gpr_long_merge (&g->totals[output], s);
}

/* ---- the work --------------------------------------------------------------------- */

/* One outer index, or a piece of it, as it lies in memory.  */
static void
work_on_run (worker *w, int64_t unit, int64_t piece)
{
  const job *g = w->g;
  const int64_t slab = g->inner * g->length, end = slab < (piece + 1) * g->piece ? slab : (piece + 1) * g->piece;
  int lanes = (int) g->inner;

  while (2 * lanes <= LANES)
    lanes *= 2;
  begin (w, (int) g->inner);
  for (int64_t i = piece * g->piece; i < end; i += lanes)
    take (w, NULL, unit * slab + i, (int) (end - i < lanes ? end - i : lanes));
  join_lanes (w, lanes);
  for (int c = 0; c < w->columns; c++)
    deliver (w, unit * g->inner + c, c);
}

/* LANES outputs, or a piece of their rows.  */
static void
work_on_outputs (worker *w, int64_t unit, int64_t piece)
{
  const job *g = w->g;
  const int64_t first = unit * LANES, left = g->inner * g->outer - first;
  const int64_t end = g->length < (piece + 1) * g->piece ? g->length : (piece + 1) * g->piece;
  const int n = left < LANES ? (int) left : LANES;
  int64_t at[LANES] = { 0 };

  begin (w, n);
  for (int j = 0; j < n; j++)
    at[j] = (first + j) % g->inner + g->inner * g->length * ((first + j) / g->inner);
  const bool side_by_side = at[n - 1] - at[0] == n - 1;
  for (int64_t row = piece * g->piece; row < end; row++)
    take (w, side_by_side ? NULL : at, (side_by_side ? at[0] : 0) + row * g->inner, n);
  for (int j = 0; j < n; j++)
    deliver (w, first + j, j);
}

static void
plan (job *g, int threads)
{
  const int64_t slab = g->inner * g->length, few = 8 * threads, least = 1 << 15, most = 1 << 22;

  g->runs = g->inner <= LANES && slab >= 1024;
  g->units = g->runs ? g->outer : (g->inner * g->outer + LANES - 1) / LANES;
  const int64_t whole = g->runs ? slab : g->length, each = g->runs ? 1 : LANES;
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
sum (job *g, int threads)
{
  const int64_t jobs = g->units * g->pieces, outputs = g->inner * g->outer;
  worker *workers = malloc (threads * sizeof *workers);
  g->totals = g->pieces > 1 ? calloc (outputs, sizeof *g->totals) : NULL;

  if (! workers || (g->pieces > 1 && ! g->totals))
    {
      free (workers);
      free (g->totals);
      return gpr_fail (GPR_OUT_OF_MEMORY, "%zu bytes of host memory",
                       threads * sizeof *workers + (g->pieces > 1 ? outputs * sizeof *g->totals : 0));
    }
  #pragma omp parallel for num_threads (threads) if (threads > 1) schedule (dynamic)
  for (int64_t i = 0; i < jobs; i++)
    {
      worker *w = &workers[gpr_cpu_thread_number ()];
      w->g = g;
      if (! gpr_interrupted ())
        (g->runs ? work_on_run : work_on_outputs) (w, i / g->pieces, i % g->pieces);
    }
  for (int64_t i = 0; i < outputs && g->totals; i++)
    gpr_long_put (gpr_long_value (&g->totals[i], g->single_result), g->r->value, i, g->single_result);
  free (workers);
  free (g->totals);
  return gpr_interrupted () ? gpr_fail (GPR_INTERRUPTED, "interrupted") : GPR_OK;
}

gpr_status
gpr_cpu_exact (gpr_reduction *r)
{
  const gpr_instance_info *f = &gpr_instances[r->instance];
  const bool complex = f->elem == GPR_c128 || f->elem == GPR_c64, single = f->elem == GPR_f32 || f->elem == GPR_c64;
  job g = { .r = r, .loops = gpr_cpu_vectors ()->expansions, .single = single, .complex = complex, .omit = f->traits & GPR_OMITS_NAN,
            .single_result = f->value_bytes == (int) (complex ? sizeof (c64) : sizeof (f32)),
            .levels = r->y && ! single ? GPR_EXPANSION : GPR_EXPANSION - 1,
            .inner = complex ? 2 * r->inner : r->inner, .length = r->length, .outer = r->outer };
  int threads = 1;

  if (g.inner * g.length * g.outer >= 1 << 15 && (threads = gpr_cpu_threads ()) > 1)
    gpr_cpu_note_pool ();
  plan (&g, threads);
  return sum (&g, threads);
}
