/* Rows of numbers into expansions and long sums, and the results of these.  */

#include <string.h>

#include "exact.h"

/* Rows of n numbers each, stride numbers apart, from number from on; at: or number j of each at[j]
   behind that.  */
typedef struct { const int64_t *at; int64_t from, stride; int rows, n; } piece_of_rows;

/* ---- addends --------------------------------------------------------------------- */

static gpr_long_sum *
sum_of (gpr_exact_worker *w, int lane)
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
  gpr_exact_worker *w = context;
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
feed (gpr_exact_worker *w, const double *x, int n, int rows)
{
  const gpr_exact_job *g = w->g;
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
fetch (const gpr_exact_job *g, const void *array, const piece_of_rows *k, double *to)
{
  if (g->single)
    fetch_float ((const float *) array + k->from, k, padded (k->n), to);
  else
    fetch_double ((const double *) array + k->from, k, padded (k->n), to);
}

/* NaN, and complex numbers with one, count as 0.  */
static void
leave_out (const gpr_exact_job *g, double *x, int n)
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
feed_products (gpr_exact_worker *w, const double *x, const double *y, const piece_of_rows *k, bool negative)
{
  const gpr_exact_job *g = w->g;
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
feed_complex_products (gpr_exact_worker *w, const piece_of_rows *k)
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
take_some (gpr_exact_worker *w, const piece_of_rows *k)
{
  const gpr_exact_job *g = w->g;

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

void
gpr_exact_take (gpr_exact_worker *w, const int64_t *at, int64_t from, int64_t stride, int64_t rows, int n)
{
  const gpr_exact_job *g = w->g;
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

/* Rows of a run of one column or two, which hold numbers of many sizes.  */
static void
take_by_exponents (gpr_exact_worker *w, int64_t from, int64_t rows)
{
  const gpr_exact_job *g = w->g;
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
void
gpr_exact_take_run (gpr_exact_worker *w, int64_t from, int64_t rows)
{
  const gpr_exact_job *g = w->g;
  const int64_t some = NUMBERS / g->lanes * 4;
  bool by_exponents = false;

  for (int64_t row = 0; row < rows; row += some)
    {
      const int64_t now = rows - row < some ? rows - row : some, before = w->spilled;
      if (by_exponents)
        take_by_exponents (w, from + row * g->lanes, now);
      else
        gpr_exact_take (w, NULL, from + row * g->lanes, g->lanes, now, g->lanes);
      if (! by_exponents && ! g->r->y && w->columns <= 2 && 8 * (w->spilled - before) > now * g->lanes)
        {
          by_exponents = true;
          memset (w->tables, 0, sizeof w->tables);
        }
    }
  for (int c = 0; c < w->columns && by_exponents; c++)
    gpr_exponents_finish (&w->tables[c], sum_of (w, c));
}

/* ---- results --------------------------------------------------------------------- */

void
gpr_exact_begin (gpr_exact_worker *w, int columns)
{
  w->columns = columns;
  w->some_used = false;
  memset (w->used, 0, columns * sizeof *w->used);
  w->spilled = 0;
  for (int level = 0; level < w->g->levels; level++)
    memset (w->a + level * LANES, 0, (columns <= RUN_LANES ? RUN_LANES : LANES) * sizeof *w->a);
}

/* Adds the lanes of each column into its first, half of them to the other half.  */
void
gpr_exact_join_lanes (gpr_exact_worker *w, int lanes)
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
deliver_long (gpr_exact_worker *w, int64_t output, int column)
{
  const gpr_exact_job *g = w->g;
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
void
gpr_exact_deliver (gpr_exact_worker *w, int64_t output)
{
  const gpr_exact_job *g = w->g;
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
