/* Counting into bins on the CPU: every rule, type, shape and kind of edges
   against the rule's own words, element by element.  */

#include <math.h>

#include "../../src/cpu/cpu.h"
#include "test.h"

enum { MOST = 1 << 13 };      /* elements of a small problem */

static const enum gpr_elem reals[] = {
  GPR_f64, GPR_f32, GPR_i8, GPR_u8, GPR_i16, GPR_u16, GPR_i32, GPR_u32, GPR_i64, GPR_u64
};
enum { REALS = sizeof reals / sizeof reals[0] };

static double
element (const gpr_counting *c, int64_t i)
{
  double x = NAN;
  switch (c->elem)
    {
#define ELEMENT(t) case GPR_##t: x = (double) ((const t *) c->x)[i]; break;
    ELEMENT (f64) ELEMENT (f32) ELEMENT (i8) ELEMENT (u8) ELEMENT (i16)
    ELEMENT (u16) ELEMENT (i32) ELEMENT (u32) ELEMENT (i64) ELEMENT (u64)
    default: break;
    }
  return c->single_precision ? (float) x : x;
}

static double
edge (const gpr_counting *c, int64_t k)
{
  return c->single_precision ? ((const float *) c->edges)[k] : ((const double *) c->edges)[k];
}

/* The 1-based bin of x, 0 for none, as gpr.h says it.  */
static int64_t
bin_of (const gpr_counting *c, double x)
{
  if (isnan (x))
    return 0;
  switch (c->rule)
    {
    case GPR_BIN_EDGES:
      for (int64_t k = 0; k < c->bins - 1; k++)
        if (edge (c, k) <= x && x < edge (c, k + 1))
          return k + 1;
      return x == edge (c, c->bins - 1) ? c->bins : 0;
    case GPR_BIN_CLOSED:
      for (int64_t k = 0; k < c->bins; k++)
        if (edge (c, k) <= x && x < edge (c, k + 1))
          return k + 1;
      return x == edge (c, c->bins) ? c->bins : 0;
    case GPR_BIN_CUTS:
      {
        int64_t below = 0;
        for (int64_t k = 0; k < c->bins - 1; k++)
          below += edge (c, k) < x;
        return below + 1;
      }
    default:
      {
        double q = c->single_precision ? ceilf (((float) x - (float) c->origin) / (float) c->step)
                                       : ceil ((x - c->origin) / c->step);
        return 1 + (int64_t) (q < (double) (c->bins - 1) ? (q > 0 ? q : 0) : (double) (c->bins - 1));
      }
    }
}

/* Counts and bins of c against bin_of (); both outputs begin as rubbish.  */
static void
check (gpr_counting *c, const char *what)
{
  int64_t elements = c->inner * c->length * c->outer, outputs = c->inner * c->outer * c->bins;
  double *expected = calloc ((size_t) outputs + 1, sizeof (double));
  c->counts = malloc ((size_t) (outputs + 1) * sizeof (double));
  c->bin_of = random_below (3) ? malloc ((size_t) (elements + 1) * sizeof (double)) : NULL;
  memset (c->counts, 0xFF, (size_t) (outputs + 1) * sizeof (double));

  gpr_status status = gpr_cpu_count (c);
  expect (status == GPR_OK, "%s: status %d: %s", what, status, gpr_message ());
  for (int64_t i = 0; i < elements; i++)
    {
      int64_t bin = bin_of (c, element (c, i)), column = i % c->inner, o = i / (c->inner * c->length);
      if (bin > 0)
        expected[column + c->inner * (bin - 1 + c->bins * o)]++;
      if (c->bin_of)
        expect (c->bin_of[i] == (double) bin, "%s: rule %d, x = %.17g: bin_of %g, not %lld", what, c->rule,
                element (c, i), c->bin_of[i], (long long) bin);
    }
  for (int64_t i = 0; i < outputs; i++)
    expect (c->counts[i] == expected[i], "%s: type %d, rule %d, %lld x %lld x %lld, %lld bins: counts[%lld] is %g, not %g",
            what, c->elem, c->rule, (long long) c->inner, (long long) c->length, (long long) c->outer, (long long) c->bins,
            (long long) i, c->counts[i], expected[i]);
  free (expected);
  free (c->counts);
  free (c->bin_of);
}

static int
ascending (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return isnan (x) || isnan (y) ? isnan (x) - isnan (y) : (x > y) - (x < y);
}

static int
ascending_f32 (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;
  return isnan (x) || isnan (y) ? isnan (x) - isnan (y) : (x > y) - (x < y);
}

/* How edges lie: evenly; anywhere; on the data; all in one place but two;
   with infinities; with NaN at the end; from one end of double to the other.  */
enum { EVEN, ANYWHERE, ON_DATA, CROWDED, INFINITE, WITH_NAN, HUGE_RANGE, KINDS };

static void
make_edges (gpr_counting *c, double *edges, float *single, int64_t count, int kind, double low, double high)
{
  int64_t elements = c->inner * c->length * c->outer;
  for (int64_t k = 0; k < count; k++)
    {
      double t = (double) k / (double) count;
      if (kind == ANYWHERE || kind == INFINITE || kind == WITH_NAN)
        t = random_unit ();
      if (kind == CROWDED)
        t = k == 0 ? 0 : k == 1 ? 1 : 0.5 + 1e-9 * (double) random_below (50);
      edges[k] = low + (high - low) * t;
      if ((kind == ON_DATA || kind == WITH_NAN) && elements > 0)
        {
          edges[k] = element (c, random_below (elements));
          if (isnan (edges[k]))
            edges[k] = 0;
        }
      if (kind == INFINITE && random_below (4) == 0)
        edges[k] = random_below (2) ? INFINITY : -INFINITY;
      if (kind == WITH_NAN && random_below (4) == 0)
        edges[k] = NAN;
      if (kind == HUGE_RANGE)
        edges[k] = (2 * t - 1) * 1.7e308;
    }
  for (int64_t k = 0; k < count; k++)
    single[k] = (float) edges[k];
  qsort (edges, (size_t) count, sizeof (double), ascending);
  qsort (single, (size_t) count, sizeof (float), ascending_f32);
}

/* One random problem of this type, rule and shape.  */
static void
random_problem (enum gpr_elem elem, gpr_bin_rule how, int kind, int64_t l, int64_t n, int64_t u, int64_t bins)
{
  static _Alignas (16) char x[MOST * 8];
  static double edges[MOST + 1];
  static float single[MOST + 1];
  int64_t elements = l * n * u;
  int bytes = gpr_elem_bytes[elem];
  bool real = elem == GPR_f64 || elem == GPR_f32;
  double low = -1, high = 1;

  random_fill (x, real ? 'f' : 'i', bytes, elements, (int) random_below (MOODS));
  if (! real)
    {
      bool is_signed = elem == GPR_i8 || elem == GPR_i16 || elem == GPR_i32 || elem == GPR_i64;
      low = is_signed ? -ldexp (1, 8 * bytes - 1) : 0;
      high = ldexp (1, 8 * bytes - is_signed);
      if (random_below (2))
        low = -3, high = 6;
    }
  gpr_counting c = { .elem = elem, .inner = l, .length = n, .outer = u, .x = x, .rule = how, .bins = bins,
                     .single_precision = random_below (2), .origin = low, .step = (high - low) / (double) bins };
  make_edges (&c, edges, single, bins + 1, kind, low, high);
  c.edges = c.single_precision ? (const void *) single : edges;
  if (how == GPR_BIN_SPACED && kind == WITH_NAN)
    c.step = random_below (2) ? 0 : NAN;
  check (&c, "random");
}

static void
every_type_rule_and_kind (void)
{
  static const char *const names[] = { "edges_rule_as_written", "cuts_rule_as_written", "spaced_rule_as_written",
                                       "closed_rule_as_written" };
  for (int how = GPR_BIN_EDGES; how <= GPR_BIN_CLOSED; how++)
    {
      rule (names[how]);
      for (int e = 0; e < REALS; e++)
        for (int kind = 0; kind < KINDS; kind++)
          for (int trial = 0; trial < 12; trial++)
            random_problem (reals[e], how, kind, 1 + random_below (9), random_below (40), 1 + random_below (9),
                            1 + random_below (trial % 2 ? 6 : 200));
    }
}

static void
shapes (void)
{
  static const int64_t sizes[][4] = {   /* l n u bins */
    { 1, 0, 1, 5 }, { 3, 0, 2, 5 }, { 1, 1, 1, 1 }, { 1, 8000, 1, 3 }, { 2, 4000, 1, 3 }, { 3, 2700, 1, 7 },
    { 5, 1600, 1, 2 }, { 600, 13, 1, 5 }, { 4096, 2, 1, 4 }, { 8192, 1, 1, 2 }, { 1, 2, 4096, 4 }, { 1, 1, 8192, 2 },
    { 16, 16, 32, 30 }, { 40, 50, 4, 8000 }, { 2, 40, 1, 8000 }
  };
  rule ("shapes_one_long_strided_many_small");
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (int how = GPR_BIN_EDGES; how <= GPR_BIN_CLOSED; how++)
      for (int threads = 1; threads <= 3; threads++)
        {
          gpr_config.threads = threads;
          random_problem (reals[random_below (REALS)], how, (int) random_below (KINDS), sizes[i][0], sizes[i][1],
                          sizes[i][2], sizes[i][3]);
        }
  gpr_config.threads = 0;
}

/* Long enough for threads to share it, in three shapes.  */
static void
threads_agree (void)
{
  static const int64_t sizes[][3] = { { 1, 300000, 1 }, { 3, 100000, 1 }, { 3000, 25, 4 }, { 1, 3, 100000 } };
  double edges[] = { 0, 10, 10, 20, 127.5, 200, 255 };
  uint16_t *x = malloc (300000 * sizeof *x);
  rule ("threads_agree");
  for (int i = 0; i < 300000; i++)
    x[i] = (uint16_t) random_below (256);
  for (int i = 0; i < 4; i++)
    for (int threads = 1; threads <= 4; threads++)
      {
        gpr_counting c = { .elem = GPR_u16, .inner = sizes[i][0], .length = sizes[i][1], .outer = sizes[i][2], .x = x,
                           .rule = GPR_BIN_EDGES, .bins = 7, .edges = edges };
        gpr_config.threads = threads;
        check (&c, "threads");
      }
  gpr_config.threads = 0;
  free (x);
}

static void
millions_of_bins (void)
{
  enum { BINS = 3000000, N = 200000 };
  double *x = malloc (N * sizeof *x), *edges = malloc (BINS * sizeof *edges), *counts = malloc (BINS * sizeof *counts);
  double *bin_of = malloc (N * sizeof *bin_of);
  rule ("millions_of_bins");
  for (int i = 0; i < BINS; i++)
    edges[i] = i;
  for (int i = 0; i < N; i++)
    x[i] = floor (random_unit () * BINS) + 0.5;
  gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = N, .outer = 1, .x = x, .rule = GPR_BIN_EDGES, .bins = BINS,
                     .edges = edges, .counts = counts, .bin_of = bin_of };
  expect (gpr_cpu_count (&c) == GPR_OK, "%s", gpr_message ());
  double total = 0;
  for (int i = 0; i < BINS; i++)
    total += counts[i];
  for (int i = 0; i < N; i++)
    {
      double want = x[i] < BINS - 1 ? floor (x[i]) + 1 : 0;
      expect (bin_of[i] == want, "x = %g: bin_of %g", x[i], bin_of[i]);
      total -= want > 0;
    }
  expect (total == 0, "%g counts too many", total);
  free (x);
  free (edges);
  free (counts);
  free (bin_of);
}

static void
refusals (void)
{
  static volatile int pressed = 1;
  volatile int *flag = gpr_interrupt_flag;
  double x[4] = { 0 }, edges[2] = { 0, 1 }, counts[2];
  gpr_counting c = { .elem = GPR_f64, .inner = 1, .length = 4, .outer = 1, .x = x, .rule = GPR_BIN_EDGES, .bins = 2,
                     .edges = edges, .counts = counts };

  rule ("ctrl_c_stops_it");
  gpr_interrupt_flag = &pressed;
  expect (gpr_cpu_count (&c) == GPR_INTERRUPTED, "not interrupted");
  gpr_interrupt_flag = flag;
  expect (gpr_cpu_count (&c) == GPR_OK && counts[0] == 4, "the next call fails");

  rule ("too_many_bins_is_an_error");
  c.bins = (int64_t) 1 << 40;
  expect (gpr_cpu_count (&c) == GPR_UNSUPPORTED && strstr (gpr_message (), "1099511627776"), "%s", gpr_message ());
}

int
main (void)
{
  every_type_rule_and_kind ();
  shapes ();
  threads_agree ();
  millions_of_bins ();
  refusals ();
  return verdict ();
}
