/* What gpr_reduce fixes up after the reduction: missing values, what overflowed or
   underflowed inside the tree, zeros' signs, columns of NaN.  Wanted values
   are computed left to right, as the built-ins do.  */

#include "test.h"
#include "../../src/core/gpr.h"
#include "../../src/cpu/cpu.h"

static const union { uint64_t u; double d; } na64 = { 0x7FF840F440000000ull };
static const union { uint32_t u; float f; } na32 = { 0x7FC207A2u };

static bool is_na (double x) { return gpr_na_f64 (x); }
static bool is_plain_nan (double x) { return x != x && ! is_na (x); }

/* Of one real output over n doubles.  */
static double reduce (enum gpr_instance instance, const double *x, int64_t n)
{
  double y;
  gpr_reduction r = { .instance = instance, .inner = 1, .length = n, .outer = 1, .x = x, .value = &y };
  gpr_status status = gpr_reduce (&gpr_cpu_backend, &r);
  expect (status == GPR_OK, "status %d: %s", status, gpr_message ());
  return y;
}

static float reduce_f32 (enum gpr_instance instance, const float *x, int64_t n)
{
  float y;
  gpr_reduction r = { .instance = instance, .inner = 1, .length = n, .outer = 1, .x = x, .value = &y };
  gpr_status status = gpr_reduce (&gpr_cpu_backend, &r);
  expect (status == GPR_OK, "status %d: %s", status, gpr_message ());
  return y;
}

static c128 reduce_c128 (enum gpr_instance instance, const c128 *x, int64_t n)
{
  c128 y;
  gpr_reduction r = { .instance = instance, .inner = 1, .length = n, .outer = 1, .x = x, .value = &y };
  gpr_status status = gpr_reduce (&gpr_cpu_backend, &r);
  expect (status == GPR_OK, "status %d: %s", status, gpr_message ());
  return y;
}

static const int64_t lengths[] = { 2, 3, 8, 9, 100, 1000, 5000, 100000 };
#define LENGTHS (int) (sizeof lengths / sizeof *lengths)
static double x[100000];
static float f[100000];
static c128 z[100000];

static void fill (double value, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    {
      x[i] = value;
      f[i] = (float) value;
      z[i] = (c128) { value, value };
    }
}

static void missing_values (void)
{
  rule ("any_na_gives_na");
  for (int i = 0; i < LENGTHS; i++)
    {
      int64_t n = lengths[i];
      fill (1, n);
      x[random_below (n)] = NAN;
      x[random_below (n)] = na64.d;
      expect (is_na (reduce (GPR_sum_f64, x, n)), "sum of %lld", (long long) n);
      expect (is_na (reduce (GPR_prod_f64, x, n)), "prod of %lld", (long long) n);
      expect (is_na (reduce (GPR_sumsq_f64, x, n)), "sumsq of %lld", (long long) n);
      f[random_below (n)] = na32.f;
      expect (gpr_na_f32 (reduce_f32 (GPR_sum_f32, f, n)), "single sum of %lld", (long long) n);
      expect (gpr_na_f32 (reduce_f32 (GPR_prod_f32, f, n)), "single prod of %lld", (long long) n);
    }

  rule ("nan_without_na_stays_nan");
  for (int i = 0; i < LENGTHS; i++)
    {
      int64_t n = lengths[i];
      fill (1, n);
      x[random_below (n)] = NAN;
      expect (is_plain_nan (reduce (GPR_sum_f64, x, n)), "sum of %lld", (long long) n);
      expect (is_plain_nan (reduce (GPR_prod_f64, x, n)), "prod of %lld", (long long) n);
    }

  rule ("na_of_a_complex_part_stays_in_that_part");
  fill (1, 1000);
  z[500].im = na64.d;
  {
    c128 y = reduce_c128 (GPR_sum_c128, z, 1000);
    expect (y.re == 1000 && is_na (y.im), "%g %g", y.re, y.im);
  }

  rule ("omitted_nan_leaves_no_trace");
  fill (2, 1000);
  x[3] = na64.d;
  x[999] = NAN;
  expect (reduce (GPR_sumomit_f64, x, 1000) == 1996, "sum");
  expect (reduce (GPR_sumsqomit_f64, x, 1000) == 3992, "sumsq");
}

static void infinities (void)
{
  rule ("infinities_explain_themselves");
  for (int i = 1; i < LENGTHS; i++)
    {
      int64_t n = lengths[i];
      fill (1, n);
      x[0] = HUGE_VAL;
      expect (reduce (GPR_sum_f64, x, n) == HUGE_VAL, "Inf in %lld", (long long) n);
      expect (reduce (GPR_prod_f64, x, n) == HUGE_VAL, "Inf in a product of %lld", (long long) n);
      x[n - 1] = -HUGE_VAL;
      expect (is_plain_nan (reduce (GPR_sum_f64, x, n)), "Inf and -Inf in %lld", (long long) n);
      expect (reduce (GPR_sumsq_f64, x, n) == HUGE_VAL, "squares of %lld", (long long) n);
      expect (reduce (GPR_prod_f64, x, n) == -HUGE_VAL, "Inf times -Inf in %lld", (long long) n);
      x[n / 2] = 0;
      expect (is_plain_nan (reduce (GPR_prod_f64, x, n)), "Inf times 0 in %lld", (long long) n);
      x[0] = 1;
      expect (reduce (GPR_sum_f64, x, n) == -HUGE_VAL, "-Inf in %lld", (long long) n);
    }
}

static double left_to_right (int64_t n)
{
  double s = 0;
  for (int64_t i = 0; i < n; i++)
    s += x[i];
  return s;
}

static void overflow_inside (void)
{
  rule ("overflow_inside_the_tree_is_summed_again_in_order");
  for (int i = 0; i < LENGTHS; i++)
    {
      int64_t n = lengths[i];
      /* Alternating: any lane that takes every k-th sees one sign only.  */
      for (int64_t j = 0; j < n; j++)
        x[j] = j % 2 ? -1e308 : 1e308;
      expect (reduce (GPR_sum_f64, x, n) == left_to_right (n), "alternating %lld: %g", (long long) n,
              reduce (GPR_sum_f64, x, n));
    }

  rule ("overflow_of_tree_and_order_is_an_infinity");
  for (int i = 0; i < LENGTHS; i++)
    {
      fill (1e308, lengths[i]);
      expect (reduce (GPR_sum_f64, x, lengths[i]) == HUGE_VAL, "%lld", (long long) lengths[i]);
    }

  rule ("up_to_8_elements_overflow_as_in_order");
  fill (1e308, 8);
  x[7] = -1e308;
  expect (reduce (GPR_sum_f64, x, 8) == HUGE_VAL, "%g", reduce (GPR_sum_f64, x, 8));

  rule ("singles_too");
  for (int64_t j = 0; j < 1000; j++)
    f[j] = j % 2 ? -3e38f : 3e38f;
  expect (reduce_f32 (GPR_sum_f32, f, 1000) == 0, "%g", (double) reduce_f32 (GPR_sum_f32, f, 1000));

  rule ("complex_overflow_is_summed_again_in_order");
  for (int64_t j = 0; j < 1000; j++)
    z[j] = (c128) { 1, j % 2 ? -1e308 : 1e308 };
  {
    c128 y = reduce_c128 (GPR_sum_c128, z, 1000);
    expect (y.re == 1000 && y.im == 0, "%g %g", y.re, y.im);
  }
}

static void products (void)
{
  rule ("product_that_underflows_inside_the_tree_is_taken_again_in_order");
  for (int i = 4; i < LENGTHS; i++)
    {
      int64_t n = lengths[i];
      double want = 1, got;
      /* Every lane of an even number sees one kind of factor only.  */
      for (int64_t j = 0; j < n; j++)
        want *= x[j] = j % 2 ? 0x1p-30 : 0x1p30;
      got = reduce (GPR_prod_f64, x, n);
      expect (got == want, "alternating %lld: %a, not %a", (long long) n, got, want);
    }

  rule ("product_into_the_subnormals_keeps_its_order");
  {
    double want = 1;
    fill (0.3, 600);
    for (int64_t j = 0; j < 600; j++)
      want *= x[j];
    expect (want > 0 && want < DBL_MIN, "the case is wrong: %a", want);
    expect (reduce (GPR_prod_f64, x, 600) == want, "%a, not %a", reduce (GPR_prod_f64, x, 600), want);
  }

  rule ("product_that_has_become_0_takes_the_signs_of_the_rest");
  for (int i = 0; i < 100; i++)
    {
      const int64_t n = 9000 + i;
      double want = 1;
      for (int64_t j = 0; j < n; j++)
        want *= x[j] = random_below (2) ? 0.01 : -0.02;
      const double got = reduce (GPR_prod_f64, x, n);
      expect (got == 0 && signbit (got) == signbit (want), "%a, not %a", got, want);
      x[n - 1 - random_below (1000)] = i % 2 ? HUGE_VAL : -HUGE_VAL;
      expect (reduce (GPR_prod_f64, x, n) != reduce (GPR_prod_f64, x, n), "Inf after underflow");
    }

  rule ("columns_of_products_in_doubt_are_taken_in_order");
  for (int64_t round = 0; round < 400; round++)
    {
      static const double specials[] = { 0, -0.0, HUGE_VAL, -HUGE_VAL, 1e-310, NAN };
      const int64_t inner = 1 + random_below (round % 2 ? 70 : 4), outer = 1 + random_below (3), n = 9 + random_below (500 / outer);
      const double drift = random_below (3) - 1.0;
      const int64_t rare = random_below (2) ? 0 : 20 + random_below (2000);
      double y[70 * 3];
      for (int64_t i = 0; i < inner * n * outer; i++)
        x[i] = rare && random_below (rare) == 0 ? specials[random_below (6)] : (random_below (2) ? 1 : -1) * exp (3 * drift + random_below (1000) / 500.0);
      gpr_reduction r = { .instance = GPR_prod_f64, .inner = inner, .length = n, .outer = outer, .x = x, .value = y };
      expect (gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK, "%s", gpr_message ());
      for (int64_t o = 0; o < inner * outer; o++)
        {
          double want = 1;
          bool zero = false, infinite = false;
          for (int64_t i = 0; i < n; i++)
            {
              const double factor = x[o / inner * inner * n + i * inner + o % inner];
              want *= factor;
              zero |= factor == 0;
              infinite |= fabs (factor) == HUGE_VAL;
            }
          if ((zero && y[o] == 0) || (infinite && fabs (y[o]) == HUGE_VAL) || (fabs (y[o]) >= DBL_MIN && fabs (y[o]) <= DBL_MAX))    /* the tree's stay */
            continue;
          expect (want != want ? y[o] != y[o] : y[o] == want && signbit (y[o]) == signbit (want),
                  "%lld x %lld x %lld, column %lld: %g, not %g", (long long) inner, (long long) n, (long long) outer, (long long) o, y[o], want);
        }
    }

  rule ("zero_factor_explains_a_zero_product");
  fill (0.5, 1000);
  x[700] = 0;
  expect (reduce (GPR_prod_f64, x, 1000) == 0, "%g", reduce (GPR_prod_f64, x, 1000));
}

static void extremes (void)
{
  rule ("a_zero_extreme_has_the_first_zeros_sign");
  for (int i = 0; i < LENGTHS; i++)
    for (int negative = 0; negative < 2; negative++)
      {
        int64_t n = lengths[i], first = random_below (n - 1);
        fill (-1, n);
        x[first] = negative ? -0.0 : 0.0;
        x[first + 1 + random_below (n - first - 1)] = negative ? 0.0 : -0.0;
        expect (reduce (GPR_max_f64, x, n) == 0 && signbit (reduce (GPR_max_f64, x, n)) == (negative != 0),
                "max of %lld", (long long) n);
        for (int64_t j = 0; j < n; j++)
          x[j] = x[j] == 0 ? x[j] : 1;
        expect (reduce (GPR_min_f64, x, n) == 0 && signbit (reduce (GPR_min_f64, x, n)) == (negative != 0),
                "min of %lld", (long long) n);
      }

  rule ("extremes_skip_nan_and_all_nan_is_nan");
  for (int i = 0; i < LENGTHS; i++)
    {
      int64_t n = lengths[i];
      fill (NAN, n);
      expect (is_plain_nan (reduce (GPR_max_f64, x, n)), "all NaN, %lld", (long long) n);
      x[n - 1] = -HUGE_VAL;
      expect (reduce (GPR_max_f64, x, n) == -HUGE_VAL, "-Inf among NaN, %lld", (long long) n);
      fill (na64.d, n);
      expect (is_na (reduce (GPR_max_f64, x, n)) && is_na (reduce (GPR_min_f64, x, n)), "all NA, %lld", (long long) n);
    }

  rule ("only_the_doubtful_column_changes");
  {
    enum { L = 5, N = 300, U = 3 };
    static double a[L * N * U], y[L * U];
    gpr_reduction r = { .instance = GPR_max_f64, .inner = L, .length = N, .outer = U, .x = a, .value = y };
    for (int j = 0; j < L * N * U; j++)
      a[j] = 1 + j % 7;
    for (int j = 0; j < N; j++)
      a[2 + L * (j + N * 1)] = NAN;
    expect (gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK, "status");
    for (int o = 0; o < L * U; o++)
      expect (o == 2 + L ? y[o] != y[o] : y[o] == 7, "output %d: %g", o, y[o]);
  }
}

/* NaN, NA and infinities anywhere, any length: not finite where, and as, the
   plain order says.  */
static void nonfinite_results_agree_with_the_plain_order (void)
{
  static const enum gpr_instance instances[] = { GPR_sum_f64, GPR_sumsq_f64, GPR_sumomit_f64,
    GPR_sumsqomit_f64 };
  const double special[] = { NAN, na64.d, HUGE_VAL, -HUGE_VAL };
  rule ("not_finite_where_and_as_in_the_plain_order");
  for (int i = 0; i < 2000; i++)
    {
      int64_t n = lengths[random_below (LENGTHS - 1)];
      random_fill (x, 'f', 8, n, PLAIN);
      for (int64_t j = random_below (4); j > 0; j--)
        x[random_below (n)] = special[random_below (4)];
      for (int k = 0; k < (int) (sizeof instances / sizeof *instances); k++)
        {
          double got = reduce (instances[k], x, n), want;
          gpr_plain (instances[k], x, 1, n, 0, &want);
          /* Of several NaN the plain order keeps the first; here any NA wins.  */
          expect (want != want ? got != got : ! (fabs (want) <= DBL_MAX) ? got == want : fabs (got) <= DBL_MAX,
                  "%s of %lld: %g, not %g", gpr_instances[instances[k]].name, (long long) n, got, want);
        }
    }
}

/* For the CPU resident memory is host memory: only the way to the columns differs.  */
static void resident_columns (void)
{
  enum { N = 3, U = 1000000 };          /* more than is copied at once */
  double *x = malloc (N * U * sizeof *x), *want = malloc (U * sizeof *want), *got = malloc (U * sizeof *got);
  rule ("columns_of_resident_arrays_are_fixed_up_as_those_of_host_arrays");
  for (int64_t i = 0; i < N * U; i++)
    x[i] = ldexp (1.0 + (double) (i * 7 % 13), (int) (i * 7919 % 1400) - 700);
  gpr_reduction r = { .instance = GPR_prod_f64, .inner = 1, .length = N, .outer = U, .x = x, .value = want };
  expect (gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK, "host: %s", gpr_message ());
  r.x_resident = true;
  r.value = got;
  expect (gpr_reduce (&gpr_cpu_backend, &r) == GPR_OK, "resident: %s", gpr_message ());
  expect (memcmp (want, got, U * sizeof *got) == 0, "the values differ");
  for (int64_t i = 0; i < U; i++)
    expect (want[i] == x[N * i] * x[N * i + 1] * x[N * i + 2], "output %lld", (long long) i);
  free (x);
  free (want);
  free (got);
}

/* What GPR_FIXUP_BY_INDEX relies on.  */
static void instances_with_an_index (void)
{
  rule ("each_value_fixed_up_by_its_index_has_an_instance_with_it");
  for (enum gpr_instance i = 0; i < GPR_INSTANCE_COUNT; i++)
    if ((gpr_instances[i].traits & GPR_FIXUP_MASK) == GPR_FIXUP_BY_INDEX && ! (gpr_instances[i].traits & GPR_BOTH_EXTREMES))
      {
        enum gpr_instance with = gpr_instance_with_index (i);
        expect (with != GPR_INSTANCE_NONE && gpr_instances[with].has_index && gpr_instances[with].elem == gpr_instances[i].elem
                && gpr_instance_of_values (with) == i, "%s", gpr_instances[i].name);
      }
}

/* Columns of NaN, of one NaN beside NA, and of zeros; apart, or as pairs.  */
static void bounds_by_their_indices (void)
{
  enum { N = 3, U = 4 };
  static const double x[N * U] = { NAN, 0, NAN, -0.0, 0, -1, 0, -0.0, 2, 5, -3, 4 };
  rule ("bounds_in_doubt_are_those_of_the_first_with_an_index");
  for (int way = 0; way < 4; way++)
    {
      double data[N * U], least[U], most[U], value[2 * U], other[U];
      memcpy (data, x, sizeof data);
      data[0] = gpr_make_na ();
      data[1] = NAN;
      const bool difference = way & 1, apart = way & 2;
      gpr_reduction r = { .instance = GPR_bounds_f64, .inner = 1, .length = N, .outer = U, .x = data, .value = value,
                          .divisor = difference, .apart = apart, .out_resident = apart, .most = apart && ! difference ? other : NULL };
      gpr_reduction low = { .instance = GPR_argmin_f64, .inner = 1, .length = N, .outer = U, .x = data, .value = least }, high = low;
      high.instance = GPR_argmax_f64;
      high.value = most;
      expect (gpr_cpu_backend.reduce (&low) == GPR_OK && gpr_cpu_backend.reduce (&high) == GPR_OK, "%s", gpr_message ());
      /* The CPU writes pairs only, so of results apart only the fix-up is tried.  */
      expect ((apart ? gpr_fix_up_bounds (&gpr_cpu_backend, &r) : gpr_reduce (&gpr_cpu_backend, &r)) == GPR_OK, "%s", gpr_message ());
      for (int i = 0; i < U; i++)
        {
          const double want = difference ? gpr_minus_f64 (most[i], least[i]) : least[i];
          const double *got = apart ? &value[i] : &value[2 * i], *greatest = apart ? &other[i] : &value[2 * i + 1];
          expect (memcmp (got, &want, sizeof want) == 0, "way %d, output %d: %g", way, i, *got);
          expect (difference || memcmp (greatest, &most[i], sizeof want) == 0, "way %d, output %d: greatest %g", way, i, *greatest);
        }
    }
}

static void messages (void)
{
  rule ("a_message_may_hold_the_last_one");
  (void) gpr_fail (GPR_OUT_OF_MEMORY, "%d bytes", 42);
  expect (gpr_fail (GPR_DEVICE_LOST, "lost: %s; again: %s", gpr_message (), gpr_message ()) == GPR_DEVICE_LOST, "status");
  expect (strcmp (gpr_message (), "lost: 42 bytes; again: 42 bytes") == 0, "'%s'", gpr_message ());
}

int main (void)
{
  messages ();
  instances_with_an_index ();
  bounds_by_their_indices ();
  resident_columns ();
  missing_values ();
  infinities ();
  overflow_inside ();
  products ();
  extremes ();
  nonfinite_results_agree_with_the_plain_order ();
  return verdict ();
}
