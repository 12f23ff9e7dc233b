/* Sums, sums of squares, of logarithms and of reciprocals; counts.  All begin with +0,
   so the sum of nothing, or of negative zeros, is +0.

   A sum of floating-point numbers that is not finite may not be final: some input may be NA, or
   the tree may have overflowed where the built-in's order does not.  */

#ifndef GPR_SUM_H
#define GPR_SUM_H

#include "../common/wide.h"
#include "traits.h"

/* ---- real terms: a sum of TERM, which says x ------------------------------ */

#define GPR_ADDING(id, X, A, Y, TERM) \
  GPR_TYPES (id, X, A, Y) \
  GPR_INIT (id, 0) \
  GPR_STEP (id, *a = *a + (TERM)) \
  GPR_MERGE (id, *a = *a + b)
#define GPR_SUM_FINISH(id, A_TO_Y, ...) GPR_FINISH (id, *y = d != 0 ? A_TO_Y (a) / (id##_y) d : A_TO_Y (a); __VA_ARGS__)

#define GPR_FLOAT_SUM(id, X, A, Y, TERM) \
  GPR_ADDING (id, X, A, Y, TERM) \
  GPR_SUM_FINISH (id, (Y), return ! gpr_finite_f64 ((f64) *y))
#define GPR_WHOLE_SUM(id, X, A, Y, A_TO_Y, TERM) \
  GPR_ADDING (id, X, A, Y, TERM) \
  GPR_SUM_FINISH (id, A_TO_Y, return 0)

#define GPR_TRAITS_SUM (GPR_FIXUP_SUM | GPR_PRODUCTS | GPR_COMMON)
#define GPR_DEF_SUM(id, X, A, Y) GPR_FLOAT_SUM (id, X, A, Y, (A) x)
#define GPR_TRAITS_SUMOMIT (GPR_FIXUP_SUM | GPR_OMITS_NAN)
#define GPR_DEF_SUMOMIT(id, X, A, Y) GPR_FLOAT_SUM (id, X, A, Y, x == x ? (A) x : (A) 0)

/* Squares: of a divisor below 0 the root is taken too, for a root mean square.  */
#define GPR_SQUARES_FINISH(id, Y, VALUE, ...) \
  GPR_FINISH (id, \
    *y = VALUE; \
    if (d != 0) *y = d > 0 ? *y / (Y) d : GPR_SQRT_##Y (*y / (Y) -d); \
    __VA_ARGS__)
#define GPR_FLOAT_SQUARES(id, X, A, Y, TERM) \
  GPR_ADDING (id, X, A, Y, TERM) \
  GPR_SQUARES_FINISH (id, Y, (Y) a, return ! gpr_finite_f64 ((f64) *y))
#define GPR_WHOLE_SQUARES(id, X, A, Y, A_TO_Y, TERM) \
  GPR_ADDING (id, X, A, Y, TERM) \
  GPR_SQUARES_FINISH (id, Y, A_TO_Y (a), return 0)
#define GPR_SQRT_f64(x) sqrt (x)
#define GPR_SQRT_f32(x) sqrtf (x)

#define GPR_TRAITS_SQ (GPR_FIXUP_SQUARES | GPR_COMMON)
#define GPR_DEF_SQ(id, X, A, Y) GPR_FLOAT_SQUARES (id, X, A, Y, (A) x * (A) x)
#define GPR_TRAITS_SQOMIT (GPR_FIXUP_SQUARES | GPR_OMITS_NAN)
#define GPR_DEF_SQOMIT(id, X, A, Y) GPR_FLOAT_SQUARES (id, X, A, Y, x == x ? (A) x * (A) x : (A) 0)

/* Geometric and harmonic means are made of these.  */
#define GPR_TRAITS_LOG (GPR_FIXUP_TERMS | GPR_LOGARITHMS | GPR_HEAVY)
#define GPR_DEF_LOG(id, X, A, Y) GPR_FLOAT_SUM (id, X, A, Y, GPR_LOG_##X (x))
#define GPR_LOG_f64(x) log (x)
#define GPR_LOG_f32(x) logf (x)
#define GPR_TRAITS_RECIP (GPR_FIXUP_TERMS | GPR_HEAVY)
#define GPR_DEF_RECIP(id, X, A, Y) GPR_FLOAT_SUM (id, X, A, Y, (A) 1 / (A) x)

/* ---- integers: exact, in an accumulator that cannot overflow ------------------ */

#define GPR_TRAITS_ISUM (GPR_EXACT | GPR_INTEGER_SUM | GPR_COMMON)
#define GPR_DEF_ISUM(id, X, A, Y) GPR_WHOLE_SUM (id, X, A, Y, (Y), (A) x)
#define GPR_TRAITS_WIDESUM GPR_EXACT
#define GPR_DEF_WIDESUM(id, X, A, Y) GPR_WHOLE_SUM (id, X, A, Y, gpr_i128_f64, (A) x)

#define GPR_TRAITS_ISQ GPR_EXACT
#define GPR_DEF_ISQ(id, X, A, Y) GPR_WHOLE_SQUARES (id, X, A, Y, (Y), (A) ((i64) x * (i64) x))
#define GPR_TRAITS_WIDESQ GPR_EXACT
#define GPR_DEF_WIDESQ(id, X, A, Y) GPR_WHOLE_SQUARES (id, X, A, Y, gpr_u128_f64, (u64) x * (u64) x)
#define GPR_TRAITS_SQ192 GPR_EXACT
#define GPR_DEF_SQ192(id, X, A, Y) \
  GPR_TYPES (id, X, A, Y) \
  GPR_INIT (id, {0, 0, 0}) \
  GPR_STEP (id, gpr_u192_add (a, gpr_square_i128 (x))) \
  GPR_MERGE (id, gpr_u192_add (a, b)) \
  GPR_SQUARES_FINISH (id, Y, gpr_u192_f64 (a), return 0)
GPR_FN u192 gpr_square_i128 (i128 x)            /* of what fits in 64 bits, signed or not */
{
  u64 m = (u64) (x < 0 ? -x : x);
  u128 p = (u128) m * m;
  u192 b = {{(u64) p, (u64) (p >> 64), 0}};
  return b;
}

/* Sums and products in the element's own 32 bits, modulo 2^32.  */
#define GPR_WRAPPING(id, START, OP) \
  GPR_TYPES (id, i32, i32, i32) \
  GPR_INIT (id, START) \
  GPR_STEP (id, *a = (i32) ((u32) *a OP (u32) x)) \
  GPR_MERGE (id, *a = (i32) ((u32) *a OP (u32) b)) \
  GPR_FINISH (id, *y = a; return 0)
#define GPR_TRAITS_WRAPSUM GPR_EXACT
#define GPR_DEF_WRAPSUM(id, X, A, Y) GPR_WRAPPING (id, 0, +)
#define GPR_TRAITS_WRAPPROD GPR_EXACT
#define GPR_DEF_WRAPPROD(id, X, A, Y) GPR_WRAPPING (id, 1, *)

/* ---- counts --------------------------------------------------------------------- */

#define GPR_COUNT_OF(id, X, IS) GPR_WHOLE_SUM (id, X, i64, f64, (f64), IS)

#define GPR_TRAITS_NANCOUNT GPR_EXACT
#define GPR_DEF_NANCOUNT(id, X, A, Y) GPR_COUNT_OF (id, X, x != x)
#define GPR_TRAITS_CNANCOUNT GPR_EXACT
#define GPR_DEF_CNANCOUNT(id, X, A, Y) GPR_COUNT_OF (id, X, gpr_nan_##X (x))

/* NaN is not 0.  */
#define GPR_TRAITS_NONZERO GPR_EXACT
#define GPR_DEF_NONZERO(id, X, A, Y) GPR_COUNT_OF (id, X, x != 0)
#define GPR_TRAITS_CNONZERO GPR_EXACT
#define GPR_DEF_CNONZERO(id, X, A, Y) GPR_COUNT_OF (id, X, (x.re != 0) | (x.im != 0))

/* ---- complex sums: real and imaginary parts apart -------------------------------- */

/* Of terms that STEP adds.  R: real numbers of that precision.  */
#define GPR_ADDING_COMPLEX(id, X, A, R, ...) \
  GPR_TYPES (id, X, A, A) \
  GPR_INIT (id, 0, 0) \
  GPR_STEP (id, __VA_ARGS__) \
  GPR_MERGE (id, a->re = a->re + b.re; a->im = a->im + b.im) \
  GPR_FINISH (id, \
    if (d != 0) { a.re = a.re / (R) d; a.im = a.im / (R) d; } \
    *y = a; \
    return ! (gpr_finite_f64 (a.re) && gpr_finite_f64 (a.im)))

#define GPR_TRAITS_CSUM (GPR_FIXUP_SUM | GPR_PRODUCTS | GPR_COMMON)
#define GPR_DEF_CSUM(id, X, A, R) GPR_ADDING_COMPLEX (id, X, A, R, a->re = a->re + x.re; a->im = a->im + x.im)
#define GPR_TRAITS_CSUMOMIT (GPR_FIXUP_SUM | GPR_OMITS_NAN)
#define GPR_DEF_CSUMOMIT(id, X, A, R) \
  GPR_ADDING_COMPLEX (id, X, A, R, if (! gpr_nan_##X (x)) { a->re = a->re + x.re; a->im = a->im + x.im; })

#define GPR_TRAITS_CSQ GPR_FIXUP_SQUARES
#define GPR_DEF_CSQ(id, X, A, Y) GPR_FLOAT_SQUARES (id, X, A, A, x.re * x.re + x.im * x.im)
#define GPR_TRAITS_CSQOMIT (GPR_FIXUP_SQUARES | GPR_OMITS_NAN)
#define GPR_DEF_CSQOMIT(id, X, A, Y) \
  GPR_FLOAT_SQUARES (id, X, A, A, ! gpr_nan_##X (x) ? x.re * x.re + x.im * x.im : (A) 0)

/* The accumulator of these is complex; A here says the precision.  */
#define GPR_TRAITS_CLOG (GPR_FIXUP_TERMS | GPR_LOGARITHMS | GPR_HEAVY)
#define GPR_DEF_CLOG(id, X, A, Y) \
  GPR_ADDING_COMPLEX (id, X, X, A, \
    X t; \
    t.re = GPR_LOG_##A (gpr_abs_##X (x)); \
    t.im = GPR_ATAN2_##A (x.im, x.re); \
    a->re = a->re + t.re; \
    a->im = a->im + t.im)
#define GPR_ATAN2_f64(y, x) atan2 (y, x)
#define GPR_ATAN2_f32(y, x) atan2f (y, x)

/* 1 / z by Smith's division, which does not overflow on the way.  */
#define GPR_TRAITS_CRECIP (GPR_FIXUP_TERMS | GPR_HEAVY)
#define GPR_DEF_CRECIP(id, X, A, Y) \
  GPR_ADDING_COMPLEX (id, X, X, A, \
    X t; \
    A q; \
    A v; \
    if (fabs ((f64) x.re) >= fabs ((f64) x.im)) \
      { q = x.im / x.re; v = x.re + x.im * q; t.re = (A) 1 / v; t.im = -q / v; } \
    else \
      { q = x.re / x.im; v = x.re * q + x.im; t.re = q / v; t.im = (A) -1 / v; } \
    a->re = a->re + t.re; \
    a->im = a->im + t.im)

/* ---- compensated sums ("extra") ----------------------------------------------------- */

#define GPR_DD_SUM(id, KEEP) \
  GPR_TYPES (id, f64, dd, f64) \
  GPR_INIT (id, 0, 0) \
  GPR_STEP (id, if (KEEP) gpr_dd_add (a, x)) \
  GPR_MERGE (id, gpr_dd_add (a, b.sum); a->err = a->err + b.err) \
  GPR_FINISH (id, *y = a.sum + a.err; if (d != 0) *y = *y / d; return ! gpr_finite_f64 (*y))
#define GPR_TRAITS_DD GPR_FIXUP_EXTRA
#define GPR_DEF_DD(id, X, A, Y) GPR_DD_SUM (id, 1)
#define GPR_TRAITS_DDOMIT (GPR_FIXUP_EXTRA | GPR_OMITS_NAN)
#define GPR_DEF_DDOMIT(id, X, A, Y) GPR_DD_SUM (id, x == x)

#define GPR_CDD_SUM(id, KEEP) \
  GPR_TYPES (id, c128, cdd, c128) \
  GPR_INIT (id, {0, 0}, {0, 0}) \
  GPR_STEP (id, if (KEEP) { gpr_dd_add (&a->re, x.re); gpr_dd_add (&a->im, x.im); }) \
  GPR_MERGE (id, \
    gpr_dd_add (&a->re, b.re.sum); a->re.err = a->re.err + b.re.err; \
    gpr_dd_add (&a->im, b.im.sum); a->im.err = a->im.err + b.im.err) \
  GPR_FINISH (id, \
    y->re = a.re.sum + a.re.err; y->im = a.im.sum + a.im.err; \
    if (d != 0) { y->re = y->re / d; y->im = y->im / d; } \
    return ! (gpr_finite_f64 (y->re) && gpr_finite_f64 (y->im)))
#define GPR_TRAITS_CDD GPR_FIXUP_EXTRA
#define GPR_DEF_CDD(id, X, A, Y) GPR_CDD_SUM (id, 1)
#define GPR_TRAITS_CDDOMIT (GPR_FIXUP_EXTRA | GPR_OMITS_NAN)
#define GPR_DEF_CDDOMIT(id, X, A, Y) GPR_CDD_SUM (id, ! gpr_nan_c128 (x))

#endif
