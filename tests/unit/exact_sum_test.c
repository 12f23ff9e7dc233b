/* Exact sums (kernels/ops/exact.h, the CPU backend's) against a number of 4500 binary digits, to
   which one bit after the other is added and which is rounded bit by bit.  */

#include <math.h>
#include "test.h"
#include "../../kernels/ops/exact.h"
#include "../../src/cpu/cpu.h"

/* ---- the reference: two's complement, bit b counts 2^(b - 2200) ------------------- */

enum { WORDS = 141, LOW = -2200 };
typedef struct { u32 w[WORDS]; bool nan, na, up, down; } reference;

static void add_bit (reference *a, int at, bool negative)
{
  u64 carry = (u64) 1 << (at % 32);
  for (int i = at / 32; i < WORDS && carry; i++)
    {
      u64 was = a->w[i];
      a->w[i] = (u32) (negative ? was - carry : was + carry);
      carry = (negative ? was < carry : was + carry > 0xFFFFFFFFu);
    }
}

static void add_bits (reference *a, u64 m, int exponent, bool negative)
{
  for (int b = 0; b < 64; b++)
    if (m >> b & 1)
      add_bit (a, exponent + b - LOW, negative);
}

/* |x| is m * 2^e.  */
static u64 split (f64 x, int *e)
{
  f64 m = frexp (fabs (x), e);
  *e -= 53;
  return (u64) ldexp (m, 53);
}

static void note (reference *a, f64 v)
{
  a->nan |= v != v;
  a->na |= gpr_na_f64 (v);
  a->up |= v == HUGE_VAL;
  a->down |= v == -HUGE_VAL;
}

static void add_number (reference *a, f64 x)
{
  int e;
  u64 m;
  if (! isfinite (x))
    {
      note (a, x);
      return;
    }
  m = split (x, &e);
  while (e < -1074 && m > 0 && ! (m & 1)) { m >>= 1; e++; }
  add_bits (a, m, e, x < 0);
}

/* One factor is a multiple of the other's bits.  */
static void add_product (reference *a, f64 x, f64 y, bool negative)
{
  int ex, ey;
  u64 mx, my;
  if (! isfinite (x) || ! isfinite (y))
    {
      const f64 p = gpr_by_f64 (x, y);
      note (a, negative && p == p ? -p : p);
      return;
    }
  mx = split (x, &ex);
  my = split (y, &ey);
  for (int b = 0; b < 53; b++)
    if (my >> b & 1)
      add_bits (a, mx, ex + ey + b, ((x < 0) != (y < 0)) != negative);
}

static int bit_of (const reference *a, int b) { return b >= 0 && (a->w[b / 32] >> (b % 32) & 1); }

static f64 rounded (reference a, int digits, int least)
{
  const bool negative = bit_of (&a, 32 * WORDS - 1);
  int top = 32 * WORDS - 1, last;
  u64 m = 0;
  bool sticky = false;
  if (a.nan)
    return a.na ? gpr_make_na () : gpr_make_nan ();
  if (a.up || a.down)
    return a.up && a.down ? gpr_make_nan () : a.up ? HUGE_VAL : -HUGE_VAL;
  if (negative)
    {
      for (int i = 0; i < WORDS; i++)
        a.w[i] = ~a.w[i];
      add_bit (&a, 0, false);
    }
  while (top >= 0 && ! bit_of (&a, top))
    top--;
  last = top - digits + 1;
  if (last < least - LOW)
    last = least - LOW;
  for (int b = top; b >= last; b--)
    m = m << 1 | (u64) bit_of (&a, b);
  for (int b = 0; b < last - 1; b++)
    sticky |= bit_of (&a, b);
  if (bit_of (&a, last - 1) && (sticky || (m & 1)))
    m++;
  if (m == 0)
    return 0;
  return (negative ? -1 : 1) * ldexp ((f64) m, last + LOW);
}

static bool same (f64 x, f64 y)
{
  return gpr_bits_f64 (x) == gpr_bits_f64 (y) || (x != x && y != y && gpr_na_f64 (x) == gpr_na_f64 (y));
}

/* ---- inputs --------------------------------------------------------------------------- */

enum { NORMAL, WHOLE_RANGE, CANCELLING, DENORMAL, LARGEST, HALFWAY, SPECIAL, MIXED, KINDS };

static f64 of_exponent (int e)
{
  f64 x = ldexp (1 + random_unit (), e);
  return random_below (2) ? x : -x;
}

static f64 number (int kind, const f64 *before, i64 n)
{
  static const f64 specials[] = { HUGE_VAL, -HUGE_VAL, 0, -0.0 };
  switch (kind)
    {
    case NORMAL: return of_exponent (-(int) random_below (8));
    case WHOLE_RANGE: return of_exponent ((int) random_below (2098) - 1074);
    case CANCELLING: return n > 0 && random_below (2) ? -before[random_below (n)] : of_exponent ((int) random_below (2000) - 1000);
    case DENORMAL: return of_exponent (-1074 + (int) random_below (60));
    case LARGEST: return random_below (8) ? of_exponent (1023) : DBL_MAX;
    case HALFWAY: return random_below (2) ? ldexp (1, (int) random_below (3) * 53) : ldexp (random_below (2) ? 1 : -1, -(int) random_below (108));
    case SPECIAL:
      return random_below (200) ? of_exponent (0)
             : random_below (3) == 0 ? gpr_make_na () : random_below (2) ? gpr_make_nan () : specials[random_below (4)];
    default: return number ((int) random_below (LARGEST), before, n);
    }
}

static f32 single_of (f64 x)
{
  f32 y;
  if (gpr_na_f64 (x))
    {
      u32 na = 0x7FC207A2u;
      memcpy (&y, &na, sizeof y);
      return y;
    }
  /* The whole range of doubles onto that of singles.  */
  int e;
  f64 m = frexp (x, &e);
  return x != 0 && isfinite (x) && abs (e) > 60 ? (f32) ldexp (m, e / 8) : (f32) x;
}

/* ---- the accumulator ------------------------------------------------------------------- */

static const i64 lengths[] = { 0, 1, 2, 3, 7, 10, 40, 64, 100, 1000, 3000 };

static void long_sums_are_rounded_once (void)
{
  rule ("long_sums_are_rounded_once");
  for (int i = 0; i < 20 * test_cases (200); i++)
    {
      static f64 x[64], y[64];
      const int kind = i % KINDS, products = (int) random_below (2);
      const i64 n = random_below (64);
      gpr_long_sum s = { .seen = 0 };
      reference want = { .nan = false };
      for (i64 j = 0; j < n; j++)
        {
          const bool negative = random_below (2);
          x[j] = number (kind, x, j);
          y[j] = number (random_below (4) ? kind : NORMAL, y, j);
          if (products)
            {
              gpr_long_add_product (&s, x[j], y[j], negative);
              add_product (&want, x[j], y[j], negative);
            }
          else
            {
              gpr_long_add (&s, x[j]);
              add_number (&want, x[j]);
            }
        }
      gpr_long_sum t = s;
      const f64 got = gpr_long_value (&s, 0), low = gpr_long_value (&t, 1);
      expect (same (got, rounded (want, 53, -1074)), "kind %d n %lld: %a, not %a", kind, (long long) n, got, rounded (want, 53, -1074));
      expect (same ((f32) low, (f32) rounded (want, 24, -149)), "single, kind %d n %lld: %a, not %a", kind, (long long) n, low,
              rounded (want, 24, -149));
    }
}

static void expansions_are_rounded_once (void)
{
  rule ("expansions_are_rounded_once");
  for (int i = 0; i < 200 * test_cases (200); i++)
    {
      const int e = (int) random_below (200) - 100;
      f64 a = of_exponent (e), b = of_exponent (e - 20 - (int) random_below (50)), c = of_exponent (e - 70 - (int) random_below (60));
      reference want = { .nan = false }, of_two = { .nan = false };
      if (random_below (3) == 0)
        b = ldexp (random_below (2) ? 1 : -1, ilogb (a) - 53);
      if (random_below (3) == 0)
        c = random_below (2) ? 0 : ldexp (random_below (2) ? 1 : -1, ilogb (b) - 54);
      if (random_below (3) == 0)
        a = (f32) a + (random_below (2) ? ldexp (1, ilogb (a) - 24) : 0);
      add_number (&of_two, a);
      add_number (&of_two, b);
      want = of_two;
      add_number (&want, c);
      expect (same (gpr_expansion_f64 (a, b, c), rounded (want, 53, -1074)), "%a + %a + %a: %a", a, b, c, gpr_expansion_f64 (a, b, c));
      expect (gpr_expansion_f32 (a, b) == (f32) rounded (of_two, 24, -149), "single %a + %a: %a", a, b, gpr_expansion_f32 (a, b));
    }
}

/* ---- the CPU backend --------------------------------------------------------------------- */

typedef struct { enum gpr_instance plain, omit; enum gpr_elem elem; bool single_result; } summed;
static const summed sums[] = {
  { GPR_sum_f64, GPR_sumomit_f64, GPR_f64, false }, { GPR_sum_f32, GPR_sumomit_f32, GPR_f32, true },
  { GPR_sum_f32_f64, GPR_sumomit_f32_f64, GPR_f32, false }, { GPR_sum_c128, GPR_sumomit_c128, GPR_c128, false },
  { GPR_sum_c64, GPR_sumomit_c64, GPR_c64, true }, { GPR_sum_c64_c128, GPR_sumomit_c64_c128, GPR_c64, false } };

static f64 number_at (const void *x, i64 i, bool single) { return single ? ((const f32 *) x)[i] : ((const f64 *) x)[i]; }

/* What output i (a number: a part of a complex one) must be.  */
static reference wanted (const gpr_reduction *r, bool single, bool complex, bool omit, i64 inner, i64 i)
{
  reference a = { .nan = false };
  for (i64 row = 0; row < r->length; row++)
    {
      const i64 at = i % inner + inner * (row + r->length * (i / inner)), b = at & ~(i64) 1;
      const f64 x = number_at (r->x, at, single);
      if (omit && (x != x || (complex && number_at (r->x, at ^ 1, single) != number_at (r->x, at ^ 1, single))))
        continue;
      if (! r->y)
        add_number (&a, x);
      else if (! complex)
        add_product (&a, x, number_at (r->y, at, single), false);
      else
        {
          add_product (&a, number_at (r->x, b, single), number_at (r->y, at, single), false);
          add_product (&a, number_at (r->x, b + 1, single), number_at (r->y, at ^ 1, single), at & 1);
        }
    }
  return a;
}

static void check_backend (const summed *s, int kind)
{
  const bool single = s->elem == GPR_f32 || s->elem == GPR_c64, complex = s->elem == GPR_c128 || s->elem == GPR_c64;
  const i64 length = lengths[random_below (sizeof lengths / sizeof *lengths)];
  const bool long_one = random_below (20) == 0, products = ! s->plain || random_below (3) == 0, omit = ! products && random_below (2);
  gpr_reduction r = { .instance = omit ? s->omit : s->plain, .inner = 1 + (random_below (2) ? random_below (80) : 0),
                      .length = long_one ? 70000 : length, .exact = true };
  if (long_one)
    r.inner = 1 + random_below (3);
  r.outer = 1 + random_below (r.length * r.inner < 200 ? 150 : 3);
  if (r.length * r.inner * r.outer > 300000 || (products && complex && kind == SPECIAL))
    return;
  const i64 inner = complex ? 2 * r.inner : r.inner, outputs = inner * r.outer, count = outputs * r.length;
  f64 *x = malloc ((count + 1) * sizeof *x), *y = malloc ((count + 1) * sizeof *y), *value = malloc (outputs * sizeof *value);
  for (i64 i = 0; i < count; i++)
    {
      x[i] = number (kind, x, i);
      y[i] = number (random_below (4) ? kind : NORMAL, y, i);
      if (single)
        {
          ((f32 *) x)[i] = single_of (x[i]);
          ((f32 *) y)[i] = single_of (y[i]);
        }
    }
  r.x = x;
  r.y = products ? y : NULL;
  r.value = value;
  expect (gpr_cpu_exact (&r) == GPR_OK, "status");
  for (i64 i = 0; i < outputs; i += 1 + (outputs > 50 ? random_below (outputs / 20) : 0))
    {
      const reference want = wanted (&r, single, complex, omit, inner, i);
      const f64 got = number_at (value, i, s->single_result);
      const f64 right = s->single_result ? (f32) rounded (want, 24, -149) : rounded (want, 53, -1074);
      bool good = same (got, right);
      if (s->single_result && right != right)
        good = got != got && gpr_na_f32 (((f32 *) value)[i]) == want.na;
      expect (good, "element %d kind %d products %d omit %d, %lld x %lld x %lld, output %lld: %a, not %a", s->elem, kind, products, omit,
              (long long) r.inner, (long long) r.length, (long long) r.outer, (long long) i, got, right);
    }
  free (x);
  free (y);
  free (value);
}

static void backend_sums_exactly (void)
{
  rule ("exact_sums_of_the_cpu_are_rounded_once");
  for (int i = 0; i < 6 * KINDS * test_cases (100) / 10; i++)
    check_backend (&sums[i % 6], i / 6 % KINDS);
}

/* Numbers of many sizes first, so that the rest goes by exponents, too; then many of one exponent.  */
static void many_of_one_exponent (void)
{
  enum { N = 32000 };
  static f64 x[N];
  f64 got = 0;
  reference want = { .nan = false };
  gpr_reduction r = { .instance = GPR_sum_f64, .inner = 1, .length = N, .outer = 1, .x = x, .value = &got, .exact = true };

  rule ("many_numbers_of_one_exponent");
  for (int i = 0; i < N; i++)
    {
      x[i] = i < 9000 ? of_exponent (-(int) random_below (1000)) : fabs (of_exponent (0));
      add_number (&want, x[i]);
    }
  expect (gpr_cpu_exact (&r) == GPR_OK && same (got, rounded (want, 53, -1074)), "%a, not %a", got, rounded (want, 53, -1074));
}

int main (void)
{
  long_sums_are_rounded_once ();
  expansions_are_rounded_once ();
  backend_sums_exactly ();
  many_of_one_exponent ();
  return verdict ();
}
