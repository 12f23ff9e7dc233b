/* Random numbers: the generator beside its known answers, what the CPU makes of it beside one element after the other, and the
   distributions.  */

#include <math.h>

#include "../../kernels/ops/convert.h"
#include "../../kernels/ops/random.h"
#include "../../src/core/generate.h"
#include "../../src/cpu/cpu.h"
#include "test.h"

enum { MOST = 1 << 21 };

/* ---- the generator ------------------------------------------------------------------------ */

/* Random123, tests/kat_vectors, "philox4x32 10": counter, key, result.  */
static void
known_answers (void)
{
  static const u32 known[][10] = {
    { 0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
    { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd },
    { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 }
  };

  rule ("philox_known_answers");
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    {
      gpr_words c;
      memcpy (c.w, known[k], sizeof c.w);
      c = gpr_philox (c, (u64) known[k][5] << 32 | known[k][4]);
      expect (memcmp (c.w, known[k] + 6, sizeof c.w) == 0, "vector %zu: %08x %08x %08x %08x", k, c.w[0], c.w[1], c.w[2], c.w[3]);
    }
}

/* ---- one element --------------------------------------------------------------------------- */

static u64
word_of (const gpr_generation *g, int64_t i)
{
  const int each = (int) gpr_generation_each (g);
  const gpr_words b = gpr_random_block (g->seed, g->position + (u64) (i / each), 0);
  return each == 4 ? b.w[i % 4] : (u64) b.w[i % 2 * 2 + 1] << 32 | b.w[i % 2 * 2];
}

static void
one_element (const gpr_generation *g, int64_t i, void *to)
{
  const u64 word = word_of (g, i);
  const bool single = g->elem == GPR_f32;
  i64 whole;

  switch (g->kind)
    {
#define NUMBER(f) \
      if (single) \
        *(f32 *) to = f##_f32 ((u32) word); \
      else \
        *(f64 *) to = f##_f64 (word); \
      return;
    case GPR_UNIFORM: NUMBER (gpr_uniform)
    case GPR_NORMAL: NUMBER (gpr_normal)
    case GPR_EXPONENTIAL: NUMBER (gpr_exponential)
    case GPR_RANGE:
      *(f64 *) to = i == g->count - 1 ? g->last : i == 0 ? g->first : g->first + (f64) i * g->step;
      return;
    case GPR_INTEGERS:
      whole = g->least + (i64) gpr_random_below (g->many, word, g->seed, g->position + (u64) (i / 2), (int) (i % 2));
      switch ((int) g->elem)
        {
#define INTEGER(X) case GPR_##X: *(X *) to = gpr_##X##_of_i64 (whole); break;
        GPR_CONVERT_REALS (INTEGER)
        }
    }
}

static void
random_generation (int64_t most)
{
  static _Alignas (64) char z[MOST * 8 + 64];
  gpr_generation g = { .kind = (gpr_generated) random_below (5), .count = 1 + random_below (most), .z = z, .seed = random_u64 (), .position = random_u64 () };
  char want[8];

  g.elem = g.kind == GPR_RANGE ? GPR_f64 : g.kind == GPR_INTEGERS ? (enum gpr_elem) random_below (GPR_c128) : random_below (2) ? GPR_f32 : GPR_f64;
  g.many = 1 + (u64) random_below ((i64) 1 << (1 + random_below (53)));
  g.least = random_below ((i64) 1 << 53) - ((i64) 1 << 52);
  g.first = random_below (3) ? random_f64 (PLAIN) : -0.0;
  g.step = random_f64 (PLAIN);
  g.last = random_f64 (PLAIN);
  const int bytes = gpr_elem_bytes[g.elem];
  memset (z, 0xA5, (size_t) (g.count * bytes + 8));
  expect (gpr_cpu_generate (&g) == GPR_OK, "%s", gpr_message ());
  for (int64_t i = 0; i < g.count; i++)
    {
      one_element (&g, i, want);
      if (memcmp (z + i * bytes, want, (size_t) bytes) != 0)
        {
          expect (false, "element %lld of %lld, kind %d, type %d", (long long) i, (long long) g.count, (int) g.kind, (int) g.elem);
          return;
        }
    }
  expect ((unsigned char) z[g.count * bytes] == 0xA5, "writes beyond the end");
}

static void
elements (void)
{
  gpr_generation g = { .kind = GPR_UNIFORM, .elem = GPR_i8, .count = 1 };
  rule ("arrays_one_element_after_the_other");
  for (int k = 0; k < 300; k++)
    random_generation (3000);
  rule ("long_arrays_by_threads");
  for (int k = 0; k < 20; k++)
    random_generation (100000);
  rule ("the_stream_goes_on_behind_an_array");
  static f64 all[20], first[7], second[13];
  gpr_random = (gpr_generator) { 3, ~(u64) 0 - 1 };
  g = (gpr_generation) { .kind = GPR_NORMAL, .elem = GPR_f64, .count = 20, .z = all };
  expect (gpr_generate (&gpr_cpu_backend, &g) == GPR_OK && gpr_random.position == 8, "20 numbers");
  gpr_random.position = ~(u64) 0 - 1;
  g = (gpr_generation) { .kind = GPR_NORMAL, .elem = GPR_f64, .count = 7, .z = first };
  expect (gpr_generate (&gpr_cpu_backend, &g) == GPR_OK && gpr_random.position == 2, "7 numbers");
  g = (gpr_generation) { .kind = GPR_NORMAL, .elem = GPR_f64, .count = 12, .z = second };
  expect (gpr_generate (&gpr_cpu_backend, &g) == GPR_OK && gpr_random.position == 8, "12 numbers");
  expect (memcmp (all, first, sizeof first) == 0 && memcmp (all + 8, second, 12 * sizeof (f64)) == 0, "not the same numbers");
  g = (gpr_generation) { .kind = GPR_UNIFORM, .elem = GPR_i8, .count = 1, .z = all };
  expect (gpr_generate (&gpr_cpu_backend, &g) == GPR_UNSUPPORTED && gpr_random.position == 8, "no uniform integers");
}

/* ---- what a word makes ---------------------------------------------------------------------- */

static void
words (void)
{
  rule ("uniform_numbers_are_between_0_and_1");
  expect (gpr_uniform_f64 (0) == 0x1p-53 && gpr_uniform_f64 (~(u64) 0) == 1 - 0x1p-53 && gpr_uniform_f64 ((u64) 1 << 63) == 0.5 + 0x1p-53, "double");
  expect (gpr_uniform_f32 (0) == 0x1p-24f && gpr_uniform_f32 (~(u32) 0) == 1 - 0x1p-24f && gpr_uniform_f32 ((u32) 1 << 31) == 0.5f + 0x1p-24f, "single");
  expect (gpr_fine_uniform (0) == 0x1p-64 && gpr_fine_uniform (~(u64) 0) == 1 - 0x1p-53 && gpr_fine_uniform ((u64) 1 << 62) == 0.5, "fine");
  rule ("logarithms_to_the_last_place");
  for (int k = 0; k < 100000; k++)
    {
      const f64 u = ldexp (0.5 + random_unit () / 2, -(int) random_below (64)), want = -log (u);
      if (u < 1)
        expect (fabs (gpr_minus_log (u) - want) <= 4e-16 * want, "-log (%.17g): %.17g, not %.17g", u, gpr_minus_log (u), want);
    }
  expect (gpr_minus_log (1 - 0x1p-53) > 0, "close to 1");
  /* v of that x, beyond all that 63 bits reach.  */
  rule ("normal_numbers_are_the_quantiles");
  for (double x = 1e-6; x < 9.2; x += x < 0.01 ? 1e-5 : 1e-3)
    {
      const double v = x < 0.5 ? (double) -log1pl (-erfl ((long double) x / sqrtl (2))) : (double) -logl (erfcl ((long double) x / sqrtl (2)));
      expect (fabs (gpr_normal_quantile (v) - x) <= 6e-13 * x, "%.17g, not %.17g", gpr_normal_quantile (v), x);
    }
  rule ("normal_numbers_reach_nine_deviations_and_have_two_signs");
  expect (gpr_normal_f64 (0) > 9.1 && gpr_normal_f64 (0) < 9.2 && gpr_normal_f64 ((u64) 1 << 63) == -gpr_normal_f64 (0), "%g", gpr_normal_f64 (0));
  expect (gpr_normal_f32 (0) > 6.2f && gpr_normal_f32 ((u32) 1 << 31) == -gpr_normal_f32 (0), "%g", gpr_normal_f32 (0));
  expect (gpr_normal_f64 (~(u64) 0 >> 1) > 0 && gpr_normal_f64 (~(u64) 0 >> 1) < 1e-15, "the least");
  rule ("integers_are_drawn_again_where_they_would_be_more_likely");
  int again = 0;
  for (int k = 0; k < 100000; k++)
    {
      const u64 range = ((u64) 1 << 52) + (u64) random_below ((i64) 1 << 52), seed = random_u64 (), block = random_u64 ();
      const u64 word = gpr_long_word (gpr_random_block (seed, block, 0), k % 2), r = gpr_random_below (range, word, seed, block, k % 2);
      /* Words from floor (j 2^64 / range) on give j; the first of some would be one too many.  */
      const u128 p = (u128) word * range;
      const bool many = (u64) p < (u64) ((((u128) 1) << 64) % range);
      again += many;
      expect (r < range && (many || r == (u64) (p >> 64)), "%llu below %llu", (unsigned long long) r, (unsigned long long) range);
      if (many)
        expect (r == gpr_random_below (range, gpr_long_word (gpr_random_block (seed, block, 1), k % 2), seed, block, k % 2), "not the second attempt's");
    }
  expect (again > 5, "%d of 100000", again);
}

/* ---- distributions ---------------------------------------------------------------------------- */

static double uniform_below (double x) { return x; }
static double normal_below (double x) { return 0.5 * erfc (-x / sqrt (2)); }
static double exponential_below (double x) { return -expm1 (-x); }

static int
by_size (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

/* Bounds that one in a million seeds or fewer would break; the seeds are fixed.  */
static void
distribution (const char *name, gpr_generated kind, bool single, double (*below) (double), const double *moments)
{
  enum { BINS = 1024 };
  static double x[MOST];
  static float y[MOST];
  const double n = MOST;
  int64_t bins[BINS] = { 0 };
  double power[4] = { 0 }, chi = 0, distance = 0, neighbours = 0;
  gpr_generation g = { .kind = kind, .elem = single ? GPR_f32 : GPR_f64, .count = MOST, .z = single ? (void *) y : (void *) x, .seed = 12345 };

  rule (name);
  expect (gpr_cpu_generate (&g) == GPR_OK, "%s", gpr_message ());
  for (int i = 0; i < MOST; i++)
    {
      if (single)
        x[i] = y[i];
      const double u = below (x[i]);
      bins[(int) (u * BINS) < BINS ? (int) (u * BINS) : BINS - 1]++;
      for (int k = 0; k < 4; k++)
        power[k] += pow (x[i], k + 1) / n;
      neighbours += i > 0 ? (x[i] - moments[0]) * (x[i - 1] - moments[0]) / n : 0;
    }
  for (int k = 0; k < 4; k++)           /* the variance of a power is that of its square */
    expect (fabs (power[k] - moments[k]) < 5 * sqrt ((moments[2 * k + 1] - moments[k] * moments[k]) / n), "moment %d: %g, not %g", k + 1, power[k], moments[k]);
  expect (fabs (neighbours) < 5 * (moments[1] - moments[0] * moments[0]) / sqrt (n), "neighbours: %g", neighbours);
  for (int k = 0; k < BINS; k++)
    chi += pow ((double) bins[k] - n / BINS, 2) / (n / BINS);
  expect (fabs (chi - (BINS - 1)) < 5 * sqrt (2.0 * BINS), "chi-square %g", chi);
  qsort (x, MOST, sizeof *x, by_size);
  for (int i = 0; i < MOST; i++)
    distance = fmax (distance, fmax (fabs (below (x[i]) - i / n), fabs (below (x[i]) - (i + 1) / n)));
  expect (distance * sqrt (n) < 2.7, "Kolmogorov and Smirnov: %g", distance * sqrt (n));
  for (int far = 0; far < 2 && kind == GPR_NORMAL; far++)       /* beyond 3 and 4 deviations */
    {
      const double want = 2 * n * normal_below (-3 - far);
      int64_t found = 0;
      for (int i = 0; i < MOST; i++)
        found += fabs (x[i]) > 3 + far;
      expect (fabs ((double) found - want) < 5 * sqrt (want), "%lld beyond %d deviations, not %g", (long long) found, 3 + far, want);
    }
}

static void
distributions (void)
{
  static const double uniform[] = { 1 / 2., 1 / 3., 1 / 4., 1 / 5., 1 / 6., 1 / 7., 1 / 8., 1 / 9. }, normal[] = { 0, 1, 0, 3, 0, 15, 0, 105 },
    exponential[] = { 1, 2, 6, 24, 120, 720, 5040, 40320 };
  distribution ("uniform", GPR_UNIFORM, false, uniform_below, uniform);
  distribution ("uniform_single", GPR_UNIFORM, true, uniform_below, uniform);
  distribution ("normal", GPR_NORMAL, false, normal_below, normal);
  distribution ("normal_single", GPR_NORMAL, true, normal_below, normal);
  distribution ("exponential", GPR_EXPONENTIAL, false, exponential_below, exponential);
  distribution ("exponential_single", GPR_EXPONENTIAL, true, exponential_below, exponential);

  rule ("seeds_have_streams_of_their_own");
  static double x[2][1 << 18];
  double product = 0;
  for (int k = 0; k < 2; k++)
    {
      gpr_generation g = { .kind = GPR_NORMAL, .elem = GPR_f64, .count = 1 << 18, .z = x[k], .seed = (u64) k };
      expect (gpr_cpu_generate (&g) == GPR_OK, "%s", gpr_message ());
    }
  for (int i = 0; i < 1 << 18; i++)
    product += x[0][i] * x[1][i];
  expect (fabs (product) < 5 * 512, "they go together: %g", product);

  rule ("integers_are_equally_likely");
  static u8 z[MOST];
  int64_t faces[200] = { 0 };
  double chi = 0;
  gpr_generation g = { .kind = GPR_INTEGERS, .elem = GPR_u8, .count = MOST, .z = z, .seed = 99, .least = 17, .many = 200 };
  expect (gpr_cpu_generate (&g) == GPR_OK, "%s", gpr_message ());
  for (int i = 0; i < MOST; i++)
    if (z[i] >= 17 && z[i] < 217)
      faces[z[i] - 17]++;
    else
      expect (false, "%d", z[i]);
  for (int k = 0; k < 200; k++)
    chi += pow ((double) faces[k] - MOST / 200., 2) / (MOST / 200.);
  expect (fabs (chi - 199) < 5 * sqrt (400), "chi-square %g", chi);
}

int
main (void)
{
  known_answers ();
  elements ();
  words ();
  distributions ();
  return verdict ();
}
