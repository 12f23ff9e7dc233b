/* What is promised exact, against other arithmetic: wide integer sums and
   their one rounding, saturation at every step, compensated sums, complex abs.  */

#include <quadmath.h>
#include "test.h"
#include "../../kernels/ops/instances.h"

GPR_INSTANCES (GPR_DEFINE_INSTANCE)

static const i64 many[] = { 0, 1, 2, 3, 7, 8, 9, 50, 200, 1000 };
#define PICK(a) a[random_below (sizeof (a) / sizeof *(a))]

/* ---- a number in 32-bit limbs, two's complement, by long arithmetic ------- */

enum { LIMBS = 8 };
typedef struct { u32 w[LIMBS]; } limbs;

static void add_product (limbs *a, u64 x, u64 y, bool negative)
{
  u32 xs[2] = { (u32) x, (u32) (x >> 32) }, ys[2] = { (u32) y, (u32) (y >> 32) };
  limbs p = {{0}};
  u64 carry;
  for (int i = 0; i < 2; i++)
    {
      carry = 0;
      for (int j = 0; j < 2; j++)
        {
          carry += (u64) xs[i] * ys[j] + p.w[i + j];
          p.w[i + j] = (u32) carry;
          carry >>= 32;
        }
      p.w[i + 2] = (u32) carry;
    }
  carry = negative;
  for (int i = 0; i < LIMBS; i++)
    {
      carry += (u64) a->w[i] + (negative ? ~p.w[i] : p.w[i]);
      a->w[i] = (u32) carry;
      carry >>= 32;
    }
}

static int bit (const limbs *a, int i) { return i >= 0 && (a->w[i / 32] >> (i % 32) & 1); }

/* To nearest, ties to even, bit by bit.  */
static double rounded (limbs a)
{
  bool negative = bit (&a, 32 * LIMBS - 1), sticky = false;
  int top = 32 * LIMBS - 1;
  u64 m = 0;
  if (negative)
    {
      limbs zero = {{0}};
      u64 carry = 1;
      for (int i = 0; i < LIMBS; i++)
        {
          carry += (u64) zero.w[i] + ~a.w[i];
          a.w[i] = (u32) carry;
          carry >>= 32;
        }
    }
  while (top > 0 && ! bit (&a, top))
    top--;
  for (int i = 0; i < 53; i++)
    m = m << 1 | (u64) bit (&a, top - i);
  for (int i = top - 54; i >= 0; i--)
    sticky |= bit (&a, i);
  if (bit (&a, top - 53) && (sticky || (m & 1)))
    m++;
  return (negative ? -1 : 1) * ldexp ((double) m, top - 52);
}

/* ---- rounding ------------------------------------------------------------- */

static void check_rounding (u128 x)
{
  limbs a = {{ (u32) x, (u32) (x >> 32), (u32) (x >> 64), (u32) (x >> 96) }};
  expect (gpr_u128_f64 (x) == rounded (a), "%016llx %016llx: %a, not %a", (unsigned long long) (x >> 64),
          (unsigned long long) x, gpr_u128_f64 (x), rounded (a));
}

static void check_rounding_192 (u192 x)
{
  limbs a = {{ (u32) x.w[0], (u32) (x.w[0] >> 32), (u32) x.w[1], (u32) (x.w[1] >> 32), (u32) x.w[2], (u32) (x.w[2] >> 32) }};
  expect (gpr_u192_f64 (x) == rounded (a), "%016llx %016llx %016llx: %a, not %a", (unsigned long long) x.w[2],
          (unsigned long long) x.w[1], (unsigned long long) x.w[0], gpr_u192_f64 (x), rounded (a));
}

static void wide_integers_are_rounded_once (void)
{
  rule ("wide_integers_are_rounded_once");
  for (int i = 0; i < 200000; i++)
    {
      check_rounding (((u128) random_u64 () << 64 | random_u64 ()) >> random_below (128));
      check_rounding_192 ((u192) {{ random_u64 (), random_u64 (), random_u64 () >> random_below (64) }});
    }

  rule ("halfway_goes_to_even");
  for (int i = 0; i < 200000; i++)
    {
      u128 m = random_u64 () >> 11 | (u64) 1 << 52;
      int shift = 1 + (int) random_below (75);
      u128 half = m << shift | (u128) 1 << (shift - 1);
      i64 far = random_below (3) - 1;
      u192 wide = {{ (u64) half + (u64) far, (u64) (half >> 64), 0 }};
      check_rounding (half + (u128) (i128) far);
      if (shift > 11)
        {
          half = m << (shift - 11) | (shift > 11 ? (u128) 1 << (shift - 12) : 0);
          wide = (u192) {{ (u64) (random_below (3) == 0), (u64) half, (u64) (half >> 64) }};
        }
      check_rounding_192 (wide);
    }

  rule ("negative_sums_are_rounded_as_positive_ones");
  for (int i = 0; i < 100000; i++)
    {
      u128 m = ((u128) random_u64 () << 64 | random_u64 ()) >> (1 + random_below (127));
      expect (gpr_i128_f64 (-(i128) m) == -gpr_u128_f64 (m), "%a", gpr_u128_f64 (m));
    }
  expect (gpr_i128_f64 ((i128) ((u128) 1 << 127)) == -0x1p127, "the least 128-bit integer");
}

/* ---- sums and sums of squares ----------------------------------------------- */

/* A random tree over the reduction: pieces from the identity, merged in order.  */
#define REDUCE_RANDOMLY(id, x, n, result) \
  do \
    { \
      id##_a whole = id##_init (); \
      i64 where = 0; \
      while (where < (n)) \
        { \
          id##_a piece = id##_init (); \
          for (i64 stop = where + 1 + random_below (9); where < (n) && where < stop; where++) \
            id##_step (&piece, (x)[where], where); \
          if (random_below (2)) \
            { \
              id##_a none = id##_init (); \
              id##_merge (&none, piece); \
              piece = none; \
            } \
          id##_merge (&whole, piece); \
        } \
      id##_finish (whole, 0, result, NULL); \
    } \
  while (0)

#define CHECK_SUM(id, T, SQUARES) \
  rule (#id "_is_exact_and_rounded_once"); \
  for (int i = 0; i < 3000; i++) \
    { \
      static T x[1000]; \
      i64 n = PICK (many); \
      limbs want = {{0}}; \
      double got; \
      random_fill (x, 'i', sizeof (T), n, (int) random_below (ALL_NAN)); \
      for (i64 j = 0; j < n; j++) \
        { \
          u64 size = x[j] < 0 ? -(u64) x[j] : (u64) x[j]; \
          add_product (&want, size, SQUARES ? size : 1, ! SQUARES && x[j] < 0); \
        } \
      REDUCE_RANDOMLY (id, x, n, &got); \
      expect (got == rounded (want), "n %lld: %a, not %a", (long long) n, got, rounded (want)); \
    }

static void sums_are_exact (void)
{
  CHECK_SUM (sum_i8, i8, 0)
  CHECK_SUM (sum_u8, u8, 0)
  CHECK_SUM (sum_i16, i16, 0)
  CHECK_SUM (sum_u16, u16, 0)
  CHECK_SUM (sum_i32, i32, 0)
  CHECK_SUM (sum_u32, u32, 0)
  CHECK_SUM (sumlong_i32, i32, 0)
  CHECK_SUM (sumlong_u32, u32, 0)
  CHECK_SUM (sum_i64, i64, 0)
  CHECK_SUM (sum_u64, u64, 0)
  CHECK_SUM (sumsq_i8, i8, 1)
  CHECK_SUM (sumsq_u8, u8, 1)
  CHECK_SUM (sumsq_i16, i16, 1)
  CHECK_SUM (sumsq_u16, u16, 1)
  CHECK_SUM (sumsqlong_i16, i16, 1)
  CHECK_SUM (sumsqlong_u16, u16, 1)
  CHECK_SUM (sumsq_i32, i32, 1)
  CHECK_SUM (sumsq_u32, u32, 1)
  CHECK_SUM (sumsq_i64, i64, 1)
  CHECK_SUM (sumsq_u64, u64, 1)
}

/* ---- saturation --------------------------------------------------------------- */

static u64 saturating_input (int bytes)
{
  /* Products leave small numbers at once: mix ones, minus ones, zeros and extremes.  */
  switch (random_below (6))
    {
    case 0: return random_u64 ();
    case 1: return random_u64 () >> random_below (64);
    case 2: return -(random_u64 () >> random_below (64));
    case 3: return (u64) random_below (4) - 1;
    case 4: return (u64) 1 << (8 * bytes - 1);
    default: return ((u64) 1 << (8 * bytes - 1)) - 1;
    }
}

#define CHECK_SATURATION(T, MIN, MAX) \
  rule ("native_saturates_at_every_step_" #T); \
  for (int i = 0; i < 20000; i++) \
    { \
      static T x[1000]; \
      i64 n = PICK (many); \
      i128 sum = 0, product = 1; \
      int sparse = (int) random_below (3); \
      T got; \
      for (i64 j = 0; j < n; j++) \
        { \
          x[j] = (T) saturating_input (sizeof (T)); \
          if (sparse && random_below (n + 1) > 2 * sparse) \
            x[j] = (T) (random_below (3) - 1 ? 1 : x[j] < 0 ? -1 : 2); \
          sum += x[j]; \
          sum = sum < MIN ? MIN : sum > MAX ? MAX : sum; \
          if (__builtin_mul_overflow (product, (i128) x[j], &product)) \
            product = MAX;      /* only unsigned ones get so far */ \
          product = product < MIN ? MIN : product > MAX ? MAX : product; \
        } \
      REDUCE_RANDOMLY (satsum_##T, x, n, &got); \
      expect (got == (T) sum, "sum of %lld: %lld, not %lld", (long long) n, (long long) got, (long long) sum); \
      REDUCE_RANDOMLY (satprod_##T, x, n, &got); \
      expect (got == (T) product, "product of %lld: %lld, not %lld", (long long) n, (long long) got, (long long) product); \
    }

static void native_saturates (void)
{
  CHECK_SATURATION (i8, INT8_MIN, INT8_MAX)
  CHECK_SATURATION (u8, 0, UINT8_MAX)
  CHECK_SATURATION (i16, INT16_MIN, INT16_MAX)
  CHECK_SATURATION (u16, 0, UINT16_MAX)
  CHECK_SATURATION (i32, INT32_MIN, INT32_MAX)
  CHECK_SATURATION (u32, 0, UINT32_MAX)
  CHECK_SATURATION (i64, INT64_MIN, INT64_MAX)
  CHECK_SATURATION (u64, 0, UINT64_MAX)
}

/* ---- compensated sums ------------------------------------------------------------ */

static void extra_is_compensated (void)
{
  static const f64 cancels[] = { 1, 1e100, 1, -1e100 };
  static const f64 endless[] = { 1, HUGE_VAL, 2 };
  f64 got;
  rule ("extra_gives_what_rounding_took");
  REDUCE_RANDOMLY (extra_f64, cancels, 4, &got);
  expect (got == 2, "[1 1e100 1 -1e100]: %g", got);

  rule ("extra_has_the_bound_of_a_doubled_precision");
  for (int i = 0; i < 20000; i++)
    {
      static f64 x[1000];
      i64 n = PICK (many);
      __float128 want = 0, size = 0;
      for (i64 j = 0; j < n; j++)
        {
          x[j] = ldexp (2 * random_unit () - 1, (int) random_below (50));
          if (j > 0 && random_below (3) == 0)
            x[j] = -x[random_below (j)];
          want += x[j];
          size += fabs (x[j]);
        }
      REDUCE_RANDOMLY (extra_f64, x, n, &got);
      expect (fabsq (got - want) <= 0x1p-53Q * fabsq (want) + (__float128) (n * n) * 0x1p-105Q * size,
              "n %lld: %a, not %a", (long long) n, got, (double) want);
    }

  rule ("extra_of_an_infinity_is_nan");
  REDUCE_RANDOMLY (extra_f64, endless, 3, &got);
  expect (got != got, "%g", got);
}

/* ---- complex abs -------------------------------------------------------------------- */

static void complex_abs_is_rounded_right (void)
{
  rule ("complex_abs_is_correctly_rounded");
  for (int i = 0; i < 2000000; i++)
    {
      int e = (int) random_below (2090) - 1070, near = (int) random_below (130) - 65;
      c128 z = { ldexp (2 * random_unit () - 1, e), ldexp (2 * random_unit () - 1, e + near) };
      __float128 want;
      double got;
      if (random_below (4) == 0)
        z = (c128) { ldexp ((double) (3 * random_below (1 << 25)), e), ldexp ((double) (4 * random_below (1 << 25)), e) };
      got = gpr_abs_c128 (z);
      want = sqrtq ((__float128) z.re * z.re + (__float128) z.im * z.im);
      /* Below the normal range the scaling back may round a second time.  */
      expect (got == (double) want || (want < DBL_MIN && fabs (got - (double) want) <= 0x1p-1074),
              "|%a + %ai|: %a, not %a", z.re, z.im, got, (double) want);
    }

  rule ("complex_abs_of_special_values");
  {
    f64 inf = HUGE_VAL, nan = gpr_make_nan ();
    expect (gpr_abs_c128 ((c128) { inf, nan }) == inf && gpr_abs_c128 ((c128) { nan, -inf }) == inf, "Inf wins over NaN");
    expect (gpr_nan_f64 (gpr_abs_c128 ((c128) { nan, 0 })) && gpr_nan_f64 (gpr_abs_c128 ((c128) { 1, nan })), "NaN");
    expect (gpr_abs_c128 ((c128) { 0, -0.0 }) == 0 && ! signbit (gpr_abs_c128 ((c128) { -0.0, -0.0 })), "zero");
    expect (gpr_abs_c128 ((c128) { DBL_MAX, DBL_MAX }) == inf && gpr_abs_c128 ((c128) { -DBL_MAX, 1 }) == DBL_MAX, "largest");
    expect (gpr_abs_c128 ((c128) { 0x1p-1074, 0 }) == 0x1p-1074, "least");
    expect (gpr_abs_c64 ((c64) { HUGE_VALF, NAN }) == HUGE_VALF && gpr_nan_f32 (gpr_abs_c64 ((c64) { 1, NAN })), "single");
  }

  rule ("single_complex_abs_is_that_of_the_c_library");
  for (int i = 0; i < 2000000; i++)
    {
      int e = (int) random_below (250) - 140, near = (int) random_below (60) - 30;
      c64 z = { (f32) ldexp (2 * random_unit () - 1, e), (f32) ldexp (2 * random_unit () - 1, e + near) };
      expect (gpr_abs_c64 (z) == hypotf (z.re, z.im), "|%a + %ai|: %a, not %a", z.re, z.im, gpr_abs_c64 (z),
              hypotf (z.re, z.im));
    }
}

int main (void)
{
  wide_integers_are_rounded_once ();
  sums_are_exact ();
  native_saturates ();
  extra_is_compensated ();
  complex_abs_is_rounded_right ();
  return verdict ();
}
