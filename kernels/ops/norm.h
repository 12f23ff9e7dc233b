/* Vector norms: 1, 2 and infinity.  A NaN element makes them NaN, and an NA the first two NA
   (src/core/fixup.c).  */

#ifndef GPR_NORM_H
#define GPR_NORM_H

#include "sum.h"

/* ---- the 2-norm of doubles, where squares leave the range ------------------------

   Blue's three sums (1978): squares of what is so large that they would overflow, of what is so
   small that they would underflow, and of the rest; the first two are scaled by powers of two.
   The constants are LAPACK's for double.  */

#define GPR_BLUE_SMALL 0x1p-511         /* below: the square may underflow */
#define GPR_BLUE_BIG 0x1p486            /* above: it may overflow */
#define GPR_BLUE_UP 0x1p537
#define GPR_BLUE_DOWN 0x1p-538
GPR_FN void gpr_scaled_add (scaled_squares *a, f64 v)
{
  f64 x = fabs (v);
  int big = x > GPR_BLUE_BIG, small = x < GPR_BLUE_SMALL;
  /* Each sum adds 0 for what is another's, instead of a square that underflows: a CPU is slow
     with those.  */
  f64 down = (big ? x : 0) * GPR_BLUE_DOWN, up = (small ? x : 0) * GPR_BLUE_UP, mid = big | small ? 0 : x;
  a->big = a->big + down * down;
  a->small = a->small + up * up;
  a->mid = a->mid + mid * mid;
}
GPR_FN f64 gpr_scaled_root (scaled_squares a)
{
  f64 mid, small, least, most;
  if (a.big > 0)
    return sqrt (a.mid > 0 || a.mid != a.mid ? a.big + (a.mid * GPR_BLUE_DOWN) * GPR_BLUE_DOWN : a.big) * (1 / GPR_BLUE_DOWN);
  if (! (a.small > 0))
    return sqrt (a.mid);
  small = sqrt (a.small) * (1 / GPR_BLUE_UP);
  if (! (a.mid > 0 || a.mid != a.mid))
    return small;
  mid = sqrt (a.mid);
  least = small < mid ? small : mid;
  most = small < mid ? mid : small;
  return mid != mid ? mid : most * sqrt (1 + (least / most) * (least / most));
}

#define GPR_SCALED_NORM(id, X, ...) \
  GPR_TYPES (id, X, scaled_squares, f64) \
  GPR_INIT (id, 0, 0, 0) \
  GPR_STEP (id, __VA_ARGS__) \
  GPR_MERGE (id, a->big = a->big + b.big; a->mid = a->mid + b.mid; a->small = a->small + b.small) \
  GPR_FINISH (id, *y = gpr_plain_f64 (gpr_scaled_root (a)); return *y != *y)
#define GPR_TRAITS_SCALEDNORM2 (GPR_FIXUP_SQUARES | GPR_SELDOM)
#define GPR_DEF_SCALEDNORM2(id, X, A, Y) GPR_SCALED_NORM (id, X, gpr_scaled_add (a, x))
#define GPR_TRAITS_CSCALEDNORM2 (GPR_FIXUP_SQUARES | GPR_HEAVY | GPR_SELDOM)
#define GPR_DEF_CSCALEDNORM2(id, X, A, Y) GPR_SCALED_NORM (id, X, gpr_scaled_add (a, x.re); gpr_scaled_add (a, x.im))

/* ---- the same without scaling: of doubles where it is not needed, and of singles, whose squares are doubles ---------------------- */

/* The root of a sum in which squares that underflowed are too small to count and none overflowed.  Of the result alone, so that another reading can tell, too.  */
#define GPR_NORM_IS_SURE(y) ((y) >= 0x1p-450 && (y) <= DBL_MAX)
#define GPR_UNSCALED_NORM(id, X, TERM) \
  GPR_ADDING (id, X, f64, f64, TERM) \
  GPR_FINISH (id, *y = gpr_plain_f64 (sqrt (a)); return ! GPR_NORM_IS_SURE (*y))
#define GPR_TRAITS_NORM2 (GPR_FIXUP_SQUARES | GPR_UNSCALED | GPR_COMMON)
#define GPR_DEF_NORM2(id, X, A, Y) GPR_UNSCALED_NORM (id, X, x * x)
#define GPR_TRAITS_CNORM2 (GPR_FIXUP_SQUARES | GPR_UNSCALED)
#define GPR_DEF_CNORM2(id, X, A, Y) GPR_UNSCALED_NORM (id, X, x.re * x.re + x.im * x.im)

#define GPR_PLAIN_NORM(id, X, TERM, A_TO_Y) \
  GPR_ADDING (id, X, f64, f64, TERM) \
  GPR_FINISH (id, *y = gpr_plain_f64 (A_TO_Y (a)); return *y != *y)
#define GPR_TRAITS_WIDENORM2 (GPR_FIXUP_SQUARES | GPR_COMMON)
#define GPR_DEF_WIDENORM2(id, X, A, Y) GPR_PLAIN_NORM (id, X, (f64) x * (f64) x, sqrt)
#define GPR_TRAITS_CWIDENORM2 GPR_FIXUP_SQUARES
#define GPR_DEF_CWIDENORM2(id, X, A, Y) GPR_PLAIN_NORM (id, X, (f64) x.re * (f64) x.re + (f64) x.im * (f64) x.im, sqrt)

/* ---- the 1-norm and the norm of infinity ------------------------------------------ */

#define GPR_ABS_f64(x) fabs (x)
#define GPR_ABS_f32(x) fabs ((f64) (x))
#define GPR_ABS_c128(x) gpr_abs_c128 (x)
#define GPR_ABS_c64(x) ((f64) gpr_abs_c64 (x))

#define GPR_TRAITS_NORM1 GPR_FIXUP_SQUARES
#define GPR_DEF_NORM1(id, X, A, Y) GPR_PLAIN_NORM (id, X, GPR_ABS_##X (x), )

#define GPR_TRAITS_NORMMAX GPR_EXACT
#define GPR_DEF_NORMMAX(id, X, A, Y) \
  GPR_TYPES (id, X, f64, f64) \
  GPR_INIT (id, 0) \
  GPR_STEP (id, \
    f64 v = gpr_nan_##X (x) ? gpr_make_nan () : GPR_ABS_##X (x); \
    *a = v > *a || v != v ? v : *a) \
  GPR_MERGE (id, *a = b > *a || b != b ? b : *a) \
  GPR_FINISH (id, *y = a; return 0)

#endif
