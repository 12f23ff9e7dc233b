/* Exact sums of floating-point numbers and of products of two, rounded once, for C11 and CUDA C++.

   A long sum (Kulisch's accumulator) has a bit for every place that a double, or a product of two,
   can have.  Its limbs are 64-bit integers a digit of 32 bits apart, so that they take many
   addends before a carry is due, in any order (Neal, Fast exact summation using small and large
   superaccumulators, 2015).  Most numbers need none: a few doubles, each holding what rounding
   took from the one before, hold their sum exactly (an expansion; Collange, Defour, Graillat,
   Iakymchuk, Numerical reproducibility for the parallel reduction on multi- and many-core
   architectures, 2015).  What falls out of an expansion goes to the long sum.  */

#ifndef GPR_EXACT_H
#define GPR_EXACT_H

#include "inspect.h"

enum {
  GPR_LONG_LIMBS = 136,
  GPR_LONG_LOW = -2163,         /* bit b counts 2^(b + GPR_LONG_LOW); the lowest of a product is 2^-2148 */
  GPR_LONG_OF_DOUBLES = 1088,   /* the place of a double with exponent field e is e + this */
  GPR_LONG_OF_PRODUCTS = 13,    /* that of a product, of the sum of two such fields */
  GPR_EXPANSION = 3             /* doubles of an expansion, at most */
};
typedef struct { i64 limb[GPR_LONG_LIMBS]; u64 seen; /* GPR_SEEN_…, of the addends */ } gpr_long_sum;

/* Addends of an expansion are smaller, so that no sum of them overflows.  */
#define GPR_EXPANDS_BELOW 0x1p970
/* A product from here on has a rounding error that is a double, too.  */
#define GPR_MULTIPLIES_FROM 0x1p-960

GPR_FN u64 gpr_bits_f64 (f64 x)
{
  union { f64 d; u64 u; } v;
  v.d = x;
  return v.u;
}
GPR_FN f64 gpr_from_bits_f64 (u64 u)
{
  union { f64 d; u64 u; } v;
  v.u = u;
  return v.d;
}

/* ---- expansions --------------------------------------------------------------- */

/* Adds x to *a and leaves in x what rounding took (Knuth's TwoSum).  */
GPR_FN f64 gpr_two_sum (f64 *a, f64 x)
{
  f64 was = *a, s = was + x, t = s - was;
  *a = s;
  return (was - (s - t)) + (x - t);
}

/* s + err, rounded to odd: err is what rounding took from s.  Rounding this once more to fewer
   digits gives the sum rounded once (Boldo and Melquiond, Emulation of FMA and
   correctly rounded sums, 2008).  */
GPR_FN f64 gpr_to_odd (f64 s, f64 err)
{
  u64 u = gpr_bits_f64 (s);
  return err == 0 || (u & 1) ? s : gpr_from_bits_f64 ((err > 0) == (s > 0) ? u + 1 : u - 1);
}

/* The sum of an expansion's doubles, rounded once: of three, or of two to single.  What rounds
   to 0 is +0, as sums of the built-in's are.  */
GPR_FN f64 gpr_expansion_f64 (f64 a, f64 b, f64 c)
{
  f64 err = gpr_two_sum (&b, c), low = gpr_two_sum (&a, b);
  err = gpr_two_sum (&low, err);
  return a + gpr_to_odd (low, err);
}
GPR_FN f32 gpr_expansion_f32 (f64 a, f64 b)
{
  f64 err = gpr_two_sum (&a, b);
  f32 y = (f32) gpr_to_odd (a, err);
  return y == 0 ? 0 : y;
}

/* ---- numbers as digits of a long sum --------------------------------------------- */

/* |x| is the result times 2^(*e - 1075); x is finite.  */
GPR_FN u64 gpr_mantissa (f64 x, int *e)
{
  u64 u = gpr_bits_f64 (x), m = u & 0xFFFFFFFFFFFFFull;
  int field = (int) (u >> 52 & 2047);
  *e = field > 0 ? field : 1;
  return field > 0 ? m | 0x10000000000000ull : m;
}

/* m, so many places up, is digit[0 … 2] from limb at on.  */
typedef struct { int at; u32 digit[3]; } gpr_digits;
GPR_FN gpr_digits gpr_digits_of (u64 m, int place)
{
  gpr_digits d;
  int shift = place & 31;
  u64 low = m << shift;
  d.at = place >> 5;
  d.digit[0] = (u32) low;
  d.digit[1] = (u32) (low >> 32);
  d.digit[2] = shift > 0 ? (u32) (m >> (64 - shift)) : 0;
  return d;
}

/* Special values among the products x * y, and among their negatives.  */
GPR_FN u32 gpr_seen_negative (u32 seen)
{
  u32 infinities = GPR_SEEN_POSINF | GPR_SEEN_NEGINF;
  return (seen & infinities) == 0 || (seen & infinities) == infinities ? seen : seen ^ infinities;
}
GPR_FN u32 gpr_seen_product_f64 (f64 x, f64 y) { return gpr_seen_f64 (gpr_by_f64 (x, y)); }
GPR_FN u32 gpr_seen_product_f32 (f32 x, f32 y) { return gpr_seen_f32 (gpr_by_f32 (x, y)); }

/* ---- long sums -------------------------------------------------------------------- */

/* So many addends are safe between two calls of gpr_long_settle.  */
enum { GPR_LONG_ADDENDS = 1 << 28 };

GPR_FN void gpr_long_pour (gpr_long_sum *s, u64 m, int place, int negative)
{
  gpr_digits d = gpr_digits_of (m, place);
  int i;
  for (i = 0; i < 3; i++)
    s->limb[d.at + i] += negative ? -(i64) d.digit[i] : (i64) d.digit[i];
}

GPR_FN void gpr_long_add (gpr_long_sum *s, f64 x)
{
  int e;
  u64 m;
  if (! gpr_finite_f64 (x))
    {
      s->seen |= gpr_seen_f64 (x);
      return;
    }
  m = gpr_mantissa (x, &e);
  gpr_long_pour (s, m, e + GPR_LONG_OF_DOUBLES, x < 0);
}

/* x * y, or its negative.  */
GPR_FN void gpr_long_add_product (gpr_long_sum *s, f64 x, f64 y, int negative)
{
  int ex, ey, place, below;
  u64 mx, my;
  u128 m;
  if (! gpr_finite_f64 (x) || ! gpr_finite_f64 (y))
    {
      u32 seen = gpr_seen_product_f64 (x, y);
      s->seen |= negative ? gpr_seen_negative (seen) : seen;
      return;
    }
  mx = gpr_mantissa (x, &ex);
  my = gpr_mantissa (y, &ey);
  m = (u128) mx * my;
  place = ex + ey + GPR_LONG_OF_PRODUCTS;
  below = ((x < 0) != (y < 0)) != (negative != 0);
  gpr_long_pour (s, (u64) m, place, below);
  gpr_long_pour (s, (u64) (m >> 64), place + 64, below);
}

/* Carries: all limbs but the last become digits, the last has the sign.  */
GPR_FN void gpr_long_settle (gpr_long_sum *s)
{
  i64 carry = 0;
  int i;
  for (i = 0; i < GPR_LONG_LIMBS - 1; i++)
    {
      i64 t = s->limb[i] + carry;
      s->limb[i] = t & 0xFFFFFFFF;
      carry = t >> 32;
    }
  s->limb[GPR_LONG_LIMBS - 1] += carry;
}

/* a + b of settled sums, not settled.  */
GPR_FN void gpr_long_merge (gpr_long_sum *a, const gpr_long_sum *b)
{
  int i;
  for (i = 0; i < GPR_LONG_LIMBS; i++)
    a->limb[i] += b->limb[i];
  a->seen |= b->seen;
}

GPR_FN int gpr_long_bit (const gpr_long_sum *s, int b) { return (int) (s->limb[b >> 5] >> (b & 31) & 1); }

/* A settled sum, not negative, to the nearest multiple of 2^least with so many binary digits, ties to even.  */
GPR_FN f64 gpr_long_magnitude (const gpr_long_sum *s, int digits, int least)
{
  int top = GPR_LONG_LIMBS - 1, high, low, at, shift, i;
  u64 m, sticky = 0;
  while (top >= 0 && s->limb[top] == 0)
    top--;
  if (top < 0)
    return 0;
  high = 31;
  while (! (s->limb[top] >> high & 1))
    high--;
  high += 32 * top;
  low = high - digits + 1;
  if (low < least - GPR_LONG_LOW)
    low = least - GPR_LONG_LOW;
  if (high < low - 1)
    return 0;
  at = low >> 5;
  shift = low & 31;
  m = 0;
  for (i = 2; i >= 0; i--)      /* bits from low on: at most 53, in at most three digits */
    if (at + i < GPR_LONG_LIMBS && 32 * i - shift < 64)
      m |= 32 * i >= shift ? (u64) s->limb[at + i] << (32 * i - shift) : (u64) s->limb[at + i] >> (shift - 32 * i);
  if (gpr_long_bit (s, low - 1))
    {
      for (i = 0; i < (low - 1) >> 5; i++)
        sticky |= (u64) s->limb[i];
      sticky |= (u64) s->limb[i] & (((u64) 1 << ((low - 1) & 31)) - 1);
      m += sticky != 0 || (m & 1);
    }
  return ldexp ((f64) m, low + GPR_LONG_LOW);
}

/* The sum, rounded to single or double; s is spent.  0 is +0.  */
GPR_FN f64 gpr_long_value (gpr_long_sum *s, int single)
{
  int i, negative;
  f64 y;
  if (s->seen & GPR_SEEN_NAN)
    return s->seen & GPR_SEEN_NA ? gpr_make_na () : gpr_make_nan ();
  if (s->seen & GPR_SEEN_POSINF)
    return s->seen & GPR_SEEN_NEGINF ? gpr_make_nan () : HUGE_VAL;
  if (s->seen & GPR_SEEN_NEGINF)
    return -HUGE_VAL;
  gpr_long_settle (s);
  negative = s->limb[GPR_LONG_LIMBS - 1] < 0;
  if (negative)
    {
      for (i = 0; i < GPR_LONG_LIMBS; i++)
        s->limb[i] = -s->limb[i];
      gpr_long_settle (s);
    }
  y = single ? gpr_long_magnitude (s, 24, -149) : gpr_long_magnitude (s, 53, -1074);
  return negative && y != 0 ? -y : y;
}

/* values[i] <- y, which is rounded to single already where values are.  */
GPR_FN void gpr_long_put (f64 y, void *values, i64 i, int single)
{
  if (! single)
    ((u64 *) values)[i] = gpr_bits_f64 (y);
  else if (gpr_na_f64 (y))
    ((u32 *) values)[i] = 0x7FC207A2u;
  else
    ((f32 *) values)[i] = (f32) y;
}

#endif
