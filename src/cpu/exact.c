/* Exact sums on the CPU.  Numbers are real here: of complex arrays the parts are columns, two for
   each, so that x has inner * length * outer numbers, and an output is one.

   Rows of numbers are added to as many expansions, lanes.  Where columns are few and rows are many,
   a row of lanes is the next numbers of memory, and a column has several lanes; else it is a row of
   as many outputs.  What an expansion does not hold goes to a long sum, which most outputs never
   have.  */

#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "exponents.h"
#include "part.h"
#include "../../kernels/ops/exact.h"

enum { LANES = GPR_CPU_LANES, RUN_LANES = 64, FEW_LANES = 16, NUMBERS = 2048 };

typedef struct {
  const gpr_reduction *r;
  const gpr_cpu_expansions *loops;
  bool single, complex, omit, single_result;
  int levels;
  int64_t inner, length, outer;
  bool runs;                    /* a row of lanes is the next numbers of memory, not that of so many outputs */
  int lanes;
  int64_t units, pieces, piece; /* units of work: outers or outputs, in pieces of so many numbers or rows */
  gpr_long_sum *totals;         /* of each output, where there are several pieces */
} job;

/* What a thread works with; x to e: some rows of numbers.  */
typedef struct {
  const job *g;
  double a[GPR_EXPANSION * LANES], x[NUMBERS], y[NUMBERS], u[NUMBERS], v[NUMBERS], p[NUMBERS], e[NUMBERS];
  int columns;                  /* lane j is of column j % columns */
  bool some_used, used[LANES];
  int64_t spilled;              /* numbers that expansions did not hold */
  gpr_exponents tables[2];      /* all zero between runs */
  gpr_long_sum sums[LANES];     /* of the columns that used them */
} worker;

/* Rows of n numbers each, stride numbers apart, from number from on; at: or number j of each at[j]
   behind that.  */
typedef struct { const int64_t *at; int64_t from, stride; int rows, n; } piece_of_rows;

/* ---- addends --------------------------------------------------------------------- */

static gpr_long_sum *
sum_of (worker *w, int lane)
{
  const int column = lane % w->columns;
  if (! w->used[column])
    memset (&w->sums[column], 0, sizeof w->sums[column]);
  w->some_used = w->used[column] = true;
  return &w->sums[column];
}

static void
spill (void *context, int lane, const double *x, int count)
{
  worker *w = context;
  w->spilled += count;
  for (int i = 0; i < count; i++)
    if (x[i] != 0)
      gpr_long_add (sum_of (w, lane + i), x[i]);
}

static int
padded (int n)
{
  return (n + 7) & ~7;
}

/* Rows of padded (n) doubles.  */
static void
feed (worker *w, const double *x, int n, int rows)
{
  const job *g = w->g;
  (g->levels == 2 ? g->loops->add_f64_2 : g->loops->add_f64_3) (w->a, x, padded (n), rows, padded (n), spill, w);
}

#define DEFINE_FETCH(T) \
static void \
fetch_##T (const T *x, const piece_of_rows *k, int n, double *to) \
{ \
  if (k->at) \
    for (int j = 0; j < k->n; j++) \
      for (int row = 0; row < k->rows; row++) \
        to[row * n + j] = x[k->at[j] + row * k->stride]; \
  else \
    for (int row = 0; row < k->rows; row++) \
      for (int j = 0; j < k->n; j++) \
        to[row * n + j] = x[j + row * k->stride]; \
  for (int row = 0; row < k->rows; row++) \
    for (int j = k->n; j < n; j++) \
      to[row * n + j] = 0; \
}
DEFINE_FETCH (double) DEFINE_FETCH (float)

/* The same rows, with zeros behind each.  */
static void
fetch (const job *g, const void *array, const piece_of_rows *k, double *to)
{
  if (g->single)
    fetch_float ((const float *) array + k->from, k, padded (k->n), to);
  else
    fetch_double ((const double *) array + k->from, k, padded (k->n), to);
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
feed_products (worker *w, const double *x, const double *y, const piece_of_rows *k, bool negative)
{
  const job *g = w->g;
  const int n = padded (k->n), count = n * k->rows;

  if (! g->loops->multiply (x, y, w->p, w->e, count))
    {
      for (int j = 0; j < count; j++)
        if (j % n < k->n)
          gpr_long_add_product (sum_of (w, j % n), x[j], y[j], negative && ! (j & 1));
      return;
    }
  for (int j = 0; j < count && negative; j += 2)
    {
      w->p[j] = -w->p[j];
      w->e[j] = -w->e[j];
    }
  feed (w, w->p, k->n, k->rows);
  if (! g->single)
    feed (w, w->e, k->n, k->rows);
}

/* conj (x) * y: the products of both real parts, both imaginary parts; and those across.  The
   conjugate's sign is set as gpr_times_c128 does.  */
static void
feed_complex_products (worker *w, const piece_of_rows *k)
{
  const int count = padded (k->n) * k->rows;

  for (int j = 0; j < count; j++)
    w->u[j] = w->x[j & ~1];
  feed_products (w, w->u, w->y, k, false);
  for (int j = 0; j < count; j++)
    {
      w->u[j] = gpr_from_bits_f64 (gpr_bits_f64 (w->x[j | 1]) ^ (uint64_t) 1 << 63);
      w->v[j] = w->y[j ^ 1];
    }
  feed_products (w, w->u, w->v, k, true);
}

/* As many rows as the buffers hold.  */
static void
take_some (worker *w, const piece_of_rows *k)
{
  const job *g = w->g;

  fetch (g, g->r->x, k, w->x);
  if (g->omit)
    leave_out (g, w->x, padded (k->n) * k->rows);
  if (! g->r->y)
    {
      feed (w, w->x, k->n, k->rows);
      return;
    }
  fetch (g, g->r->y, k, w->y);
  if (g->complex)
    feed_complex_products (w, k);
  else
    feed_products (w, w->x, w->y, k, false);
}

static void
take (worker *w, const int64_t *at, int64_t from, int64_t stride, int64_t rows, int n)
{
  const job *g = w->g;
  const bool directly = ! g->r->y && ! g->omit && ! at && n % 8 == 0;
  const int some = NUMBERS / padded (n);

  for (int64_t row = 0; row < rows; row += some)
    {
      const piece_of_rows k = { at, from + row * stride, stride, (int) (rows - row < some ? rows - row : some), n };
      if (! directly)
        take_some (w, &k);
      else if (g->single)
        g->loops->add_f32_2 (w->a, (const float *) g->r->x + k.from, stride, k.rows, n, spill, w);
      else
        g->loops->add_f64_2 (w->a, (const double *) g->r->x + k.from, stride, k.rows, n, spill, w);
    }
}

/* ---- results --------------------------------------------------------------------- */

static void
begin (worker *w, int columns)
{
  w->columns = columns;
  w->some_used = false;
  memset (w->used, 0, columns * sizeof *w->used);
  w->spilled = 0;
  for (int level = 0; level < w->g->levels; level++)
    memset (w->a + level * LANES, 0, (columns <= RUN_LANES ? RUN_LANES : LANES) * sizeof *w->a);
}

/* Adds the lanes of each column into its first, half of them to the other half.  */
static void
join_lanes (worker *w, int lanes)
{
  for (int half = lanes / 2; half >= w->columns; half /= 2)
    for (int level = 0; level < w->g->levels; level++)
      {
        memcpy (w->x, w->a + level * LANES + half, half * sizeof *w->x);
        for (int j = half; j < padded (half); j++)
          w->x[j] = 0;
        feed (w, w->x, half, 1);
      }
}

/* A column by its long sum.  */
static void
deliver_long (worker *w, int64_t output, int column)
{
  const job *g = w->g;
  gpr_long_sum *s = sum_of (w, column);

  for (int level = 0; level < g->levels; level++)
    gpr_long_add (s, w->a[level * LANES + column]);
  if (! g->totals)
    {
      gpr_long_put (gpr_long_value (s, g->single_result), g->r->value, output, g->single_result);
      return;
    }
  gpr_long_settle (s);
  #pragma omp critical (gpr_cpu_exact_totals)
  gpr_long_merge (&g->totals[output], s);
}

/* The columns are outputs from this one on.  */
static void
deliver (worker *w, int64_t output)
{
  const job *g = w->g;
  const double *a = w->a, *b = a + LANES, *c = b + LANES;
  float *singles = (float *) g->r->value + output;
  double *doubles = (double *) g->r->value + output;
  bool all = true;

  if (! g->totals && g->single_result)
    for (int j = 0; j < w->columns; j++)
      singles[j] = gpr_expansion_f32 (a[j], b[j]);
  else if (! g->totals && g->levels == 2)
    for (int j = 0; j < w->columns; j++)
      doubles[j] = a[j] + b[j];
  else if (! g->totals)
    for (int j = 0; j < w->columns; j++)
      {
        doubles[j] = gpr_expansion_f64 (a[j], b[j], c[j]);
        all &= gpr_finite_f64 (doubles[j]);
      }
  if (g->totals || w->some_used || ! all)
    for (int j = 0; j < w->columns; j++)
      if (g->totals || w->used[j] || (! all && ! gpr_finite_f64 (doubles[j])))
        deliver_long (w, output + j, j);
}

/* ---- the work --------------------------------------------------------------------- */

/* Rows of a run of one column or two, which hold numbers of many sizes.  */
static void
take_by_exponents (worker *w, int64_t from, int64_t rows)
{
  const job *g = w->g;
  gpr_long_sum *const to[2] = { sum_of (w, 0), sum_of (w, w->columns - 1) };
  const int some = NUMBERS / g->lanes;

  for (int64_t row = 0; row < rows; row += some)
    {
      const piece_of_rows k = { NULL, from + row * g->lanes, g->lanes, (int) (rows - row < some ? rows - row : some), g->lanes };
      fetch (g, g->r->x, &k, w->x);
      if (g->omit)
        leave_out (g, w->x, k.rows * g->lanes);
      gpr_exponents_add (w->tables, w->columns, w->x, k.rows * g->lanes, to);
    }
}

/* Rows of a run.  Where an eighth of the numbers falls out of the expansions, the rest goes by exponents.  */
static void
take_run (worker *w, int64_t from, int64_t rows)
{
  const job *g = w->g;
  const int64_t some = NUMBERS / g->lanes * 4;
  bool by_exponents = false;

  for (int64_t row = 0; row < rows; row += some)
    {
      const int64_t now = rows - row < some ? rows - row : some, before = w->spilled;
      if (by_exponents)
        take_by_exponents (w, from + row * g->lanes, now);
      else
        take (w, NULL, from + row * g->lanes, g->lanes, now, g->lanes);
      by_exponents |= ! g->r->y && w->columns <= 2 && 8 * (w->spilled - before) > now * g->lanes;
    }
  for (int c = 0; c < w->columns && by_exponents; c++)
    gpr_exponents_finish (&w->tables[c], sum_of (w, c));
}

/* One outer index, or a piece of it, as it lies in memory.  */
static void
work_on_run (worker *w, int64_t unit, int64_t piece)
{
  const job *g = w->g;
  const int64_t slab = g->inner * g->length, from = piece * g->piece, end = slab < from + g->piece ? slab : from + g->piece;
  const int64_t rows = (end - from) / g->lanes, left = (end - from) % g->lanes;

  begin (w, (int) g->inner);
  take_run (w, unit * slab + from, rows);
  if (left > 0)
    take (w, NULL, unit * slab + end - left, 0, 1, (int) left);
  join_lanes (w, g->lanes);
  deliver (w, unit * g->inner);
}

/* As many outputs as lanes, or a piece of their rows.  */
static void
work_on_outputs (worker *w, int64_t unit, int64_t piece)
{
  const job *g = w->g;
  const int64_t first = unit * g->lanes, left = g->inner * g->outer - first, row = piece * g->piece;
  const int64_t rows = g->length - row < g->piece ? g->length - row : g->piece;
  const int n = left < g->lanes ? (int) left : g->lanes;
  int64_t at[LANES] = { 0 }, c = first % g->inner, place = c + first / g->inner * g->inner * g->length;
  const int64_t origin = place;

  begin (w, n);
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
  take (w, at[n - 1] == n - 1 ? NULL : at, origin + row * g->inner, g->inner, rows, n);
  deliver (w, first);
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
plan (job *g, int threads)
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
sum (job *g, int threads)
{
  const int64_t jobs = g->units * g->pieces, outputs = g->inner * g->outer;
  worker *workers = malloc (threads * sizeof *workers);
  for (int t = 0; t < threads && workers; t++)
    memset (workers[t].tables, 0, sizeof workers[t].tables);
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
