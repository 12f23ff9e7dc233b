/* Cumulative sums, products and extremes: what each step does, for C11 and CUDA C++,
   and in what order.

   A column of at most GPR_SCAN_SHORT rows is taken in the built-in's order.  A longer one is
   cut, by its length and by inner alone, so that every device gives the same bits: into tiles,
   a tile into segments of some rows, and GPR_SCAN_FOLD segments make a group.  The result
   at a row is

     t o (g o (s o z))

   z combines the rows of its own segment up to it, s the totals of the segments before in
   the group, g those of the groups before in the tile, t those of the tiles before: each one after
   the other, from the left, and what there is nothing of is left out.  Since each of
   them ends with exactly what the next begins with, cumulative sums of numbers that are not
   negative never fall.

   Where an operation of two finite numbers overflows (of a product: or underflows), the column
   is done again in the built-in's order.  */

#ifndef GPR_OPS_SCAN_H
#define GPR_OPS_SCAN_H

#include "../common/scalars.h"

enum { GPR_SCAN_SHORT = 256, GPR_SCAN_THREADS = 256, GPR_SCAN_FOLD = 16, GPR_SCAN_COLUMNS = 32 };

/* Rows of a segment: odd, since threads read segments side by side, and so few that tiles fit
   the shared memory of every GPU.  */
#define GPR_SCAN_STEPS_OF(bytes) ((bytes) == 16 ? 9 : (bytes) == 8 ? 23 : 47)
#define GPR_SCAN_EXTREME_STEPS_OF(bytes) ((bytes) == 16 ? 7 : (bytes) == 8 ? 13 : (bytes) == 4 ? 23 : 31)

/* Columns that lie beside each other make a band, GPR_SCAN_COLUMNS at most, and evenly; a tile of one has
   GPR_SCAN_THREADS segments at most.  17 to 32 columns make two bands, not one: a tile waits for those before it in its band, and where
   the band is narrow it sees more of them at once.  */
GPR_FN int gpr_scan_columns (i64 inner)
{
  const i64 wide = GPR_SCAN_COLUMNS, most = inner > wide / 2 && inner <= wide ? wide / 2 : wide;
  const i64 bands = (inner + most - 1) / most, even = (inner + bands - 1) / bands;
  return (int) (bands == 1 ? even : (even + 3) / 4 * 4);
}
GPR_FN i64 gpr_scan_bands (i64 inner) { return (inner + gpr_scan_columns (inner) - 1) / gpr_scan_columns (inner); }
GPR_FN i64 gpr_scan_tile_rows (i64 inner, int steps) { return GPR_SCAN_THREADS / gpr_scan_columns (inner) * steps; }
GPR_FN i64 gpr_scan_tiles (i64 inner, i64 n, int steps)
{
  const i64 rows = gpr_scan_tile_rows (inner, steps);
  return (n + rows - 1) / rows;
}

/* An instance id has

     id_x id_a                       types of an element and the accumulator
     id_STEPS                        rows of a segment
     id_first (&a, x, row)           a <- x, the first of a segment
     id_step (&a, x, row)            a <- a o x
     id_merge (&a, b)                a <- a o b, b of later rows.  Both return whether the result
                                     says that the column must be done again
     id_next (&a, x, row), id_plain (a, b)
                                     the same, quickly: exact unless
     id_unsure (a)                   says that it must be done with a step or merge
     id_EACH                         every result must be asked that; else the last of several, since
                                     what is not finite stays so
     id_strange (a)                  plain operations one after the other may have left something else than steps: of real numbers,
                                     which NaN it is
     id_row (a)                      its row, of extremes; of a column whose elements are all NaN, 0
     id_put (a, first, &y)           y <- the value.  first: the column's first element, the value
                                     as long as all are NaN
     id_pack (a, from, &y), id_unpack (y, at, from)
                                     of a segment that begins at row `from', an accumulator as an element and
                                     its row there, -1: none

   A sum or product in the built-in's order ends: id_ended (a), it is infinite, NaN or, of a product, 0.  Then only its sign changes, until
   an element makes it NaN, and what comes after can be taken by tiles.  So it is where a product rests: one of the least numbers,
   times factors that are near 1 for it, such as 0.6 for the very least, is rounded to itself.

     id_rest (a, x)                  what an element does to a that has ended or rests: id_NEUTRAL, of a product with
                                     its sign, or the NaN that a becomes; of a product 0: a does not rest any more
     id_after (a, rest)              a after the rests of elements, combined
     id_turns (a, x)                 x does nothing to a, which is not NaN, but for its sign: of a product
     id_clearly_lost (a, x, r, rows) the first step r = a o x of finite numbers, not 0, up to so many rows, that loses more than what orders
                                     differ by: so an operation of the tiles does too  */

/* ---- sums and products ---------------------------------------------------------- */

#define GPR_SCAN_ARITHMETIC(id, T, OP, LOST, PLAIN, UNSURE, EACH, STRANGE) \
  typedef T id##_x; typedef T id##_a; \
  enum { id##_STEPS = GPR_SCAN_STEPS_OF (sizeof (T)), id##_EACH = EACH }; \
  GPR_FN void id##_first (T *a, T x, i64 row) { (void) row; *a = x; } \
  GPR_FN int id##_step (T *a, T x, i64 row) \
  { \
    const T before = *a; \
    (void) row; \
    *a = OP (before, x); \
    return LOST (before, x, *a); \
  } \
  GPR_FN int id##_merge (T *a, T b) { return id##_step (a, b, 0); } \
  GPR_FN T id##_plain (T a, T b) { return PLAIN (a, b); } \
  GPR_FN void id##_next (T *a, T x, i64 row) { (void) row; *a = PLAIN (*a, x); } \
  GPR_FN int id##_unsure (T a) { return UNSURE (a); } \
  GPR_FN int id##_strange (T a) { return STRANGE (a); } \
  GPR_FN i64 id##_row (T a) { (void) a; return 0; } \
  GPR_FN void id##_put (T a, const T *first, T *y) { (void) first; *y = a; } \
  GPR_FN short id##_pack (T a, i64 from, T *y) { (void) from; *y = a; return 0; } \
  GPR_FN T id##_unpack (T y, short at, i64 from) { (void) at; (void) from; return y; }

/* A sum of finite numbers that overflows.  */
#define GPR_SCAN_DEFINE_SUM_LOST(R, C, FABS, MOST) \
  GPR_FN int gpr_scan_over_##R (R a, R b, R r) { return FABS (r) > MOST && FABS (a) <= MOST && FABS (b) <= MOST; } \
  GPR_FN int gpr_scan_endless_##R (R r) { return ! (FABS (r) <= MOST); } \
  GPR_FN int gpr_scan_endless_##C (C r) { return ! (FABS (r.re) <= MOST && FABS (r.im) <= MOST); } \
  GPR_FN int gpr_scan_over_##C (C a, C b, C r) \
  { return gpr_scan_over_##R (a.re, b.re, r.re) || gpr_scan_over_##R (a.im, b.im, r.im); }
GPR_SCAN_DEFINE_SUM_LOST (f64, c128, fabs, DBL_MAX)
GPR_SCAN_DEFINE_SUM_LOST (f32, c64, fabsf, FLT_MAX)
/* A product that overflows, or loses digits or all of itself to underflow, of numbers of which
   none is 0, infinite or NaN.  Of complex numbers those that are not finite count too: their products
   depend on the order.  */
#define GPR_SCAN_DEFINE_PRODUCT_LOST(R, C, FABS, LEAST, MOST) \
  GPR_FN int gpr_scan_odd_##R (R r) { return ! (FABS (r) >= LEAST && FABS (r) <= MOST); } \
  GPR_FN int gpr_scan_odd_##C (C r) { return gpr_scan_odd_##R (FABS (r.re) + FABS (r.im)); } \
  GPR_FN int gpr_scan_lossy_##R (R a, R b, R r) \
  { return gpr_scan_odd_##R (r) && a != 0 && b != 0 && FABS (a) <= MOST && FABS (b) <= MOST; } \
  GPR_FN int gpr_scan_lossy_##C (C a, C b, C r) \
  { \
    return gpr_scan_odd_##C (r) \
           && ! (a.re == 0 && a.im == 0 && FABS (b.re) + FABS (b.im) <= MOST) \
           && ! (b.re == 0 && b.im == 0 && FABS (a.re) + FABS (a.im) <= MOST); \
  }
GPR_SCAN_DEFINE_PRODUCT_LOST (f64, c128, fabs, DBL_MIN, DBL_MAX)
GPR_SCAN_DEFINE_PRODUCT_LOST (f32, c64, fabsf, FLT_MIN, FLT_MAX)
/* How sums and products of real numbers end.  Near its ends the range may be left in one order alone: by far, in each.  */
#define GPR_SCAN_DEFINE_ENDS(R, COPYSIGN, FABS, LEAST, MOST, EPSILON) \
  enum { cumsum_##R##_NEUTRAL = 0, cumprod_##R##_NEUTRAL = 1 }; \
  GPR_FN int cumsum_##R##_ended (R a) { return gpr_scan_endless_##R (a); } \
  GPR_FN int cumprod_##R##_ended (R a) { return ! (FABS (a) > 0 && FABS (a) <= MOST); } \
  GPR_FN R cumsum_##R##_rest (R a, R x) { const R r = gpr_plus_##R (a, x); return r == r ? 0 : r; } \
  GPR_FN R cumprod_##R##_rest (R a, R x) \
  { \
    const R r = gpr_by_##R (a, x); \
    return r != r ? r : FABS (r) == FABS (a) ? COPYSIGN ((R) 1, x) : 0; \
  } \
  GPR_FN R cumsum_##R##_after (R a, R rest) { return rest == rest ? a : rest; } \
  GPR_FN R cumprod_##R##_after (R a, R rest) { return rest == rest && a == a ? a * rest : a == a ? rest : a; } \
  GPR_FN int cumsum_##R##_turns (R a, R x) { (void) a, (void) x; return 0; } \
  GPR_FN int cumprod_##R##_turns (R a, R x) { return FABS (a * x) == FABS (a); } \
  GPR_FN int cumsum_##R##_clearly_lost (R a, R x, R r, i64 rows) { (void) a, (void) x, (void) r, (void) rows; return 0; }      /* nobody asks */ \
  GPR_FN int cumprod_##R##_clearly_lost (R a, R x, R r, i64 rows) \
  { return FABS (r) < LEAST / 2 || (FABS (r) > MOST && FABS (a / 2 * x) > MOST / 2 * (1 + 4 * EPSILON * (R) rows)); }

#define GPR_SCAN_PLUS(a, b) ((a) + (b))
#define GPR_SCAN_TIMES(a, b) ((a) * (b))
GPR_FN c128 gpr_scan_plus_c128 (c128 x, c128 y) { x.re += y.re; x.im += y.im; return x; }
GPR_FN c64 gpr_scan_plus_c64 (c64 x, c64 y) { x.re += y.re; x.im += y.im; return x; }
GPR_FN c128 gpr_scan_add_c128 (c128 x, c128 y)
{
  x.re = gpr_plus_f64 (x.re, y.re);
  x.im = gpr_plus_f64 (x.im, y.im);
  return x;
}
GPR_FN c64 gpr_scan_add_c64 (c64 x, c64 y)
{
  x.re = gpr_plus_f32 (x.re, y.re);
  x.im = gpr_plus_f32 (x.im, y.im);
  return x;
}
/* Complex products as C11 has them (annex G): where an infinity is a factor, or a term overflows,
   a product of which both parts are NaN is infinite.  */
#define GPR_SCAN_DEFINE_TIMES(T, R, FABS, MOST) \
  GPR_FN int gpr_scan_infinite_##R (R x) { return FABS (x) > MOST; } \
  GPR_FN R gpr_scan_boxed_##R (R x) { return (x < 0 ? -1 : 1) * (R) gpr_scan_infinite_##R (x); } \
  GPR_FN R gpr_scan_number_##R (R x) { return x == x ? x : 0; } \
  GPR_FN T gpr_scan_times_##T (T x, T y) \
  { \
    T r = gpr_mul_##T (x, y); \
    if (r.re != r.re && r.im != r.im) \
      { \
        const int first = gpr_scan_infinite_##R (x.re) || gpr_scan_infinite_##R (x.im); \
        const int second = gpr_scan_infinite_##R (y.re) || gpr_scan_infinite_##R (y.im); \
        const int term = gpr_scan_infinite_##R (x.re * y.re) || gpr_scan_infinite_##R (x.im * y.im) \
                         || gpr_scan_infinite_##R (x.re * y.im) || gpr_scan_infinite_##R (x.im * y.re); \
        x.re = first ? gpr_scan_boxed_##R (x.re) : gpr_scan_number_##R (x.re); \
        x.im = first ? gpr_scan_boxed_##R (x.im) : gpr_scan_number_##R (x.im); \
        y.re = second ? gpr_scan_boxed_##R (y.re) : gpr_scan_number_##R (y.re); \
        y.im = second ? gpr_scan_boxed_##R (y.im) : gpr_scan_number_##R (y.im); \
        y = gpr_mul_##T (x, y); \
        if (first || second || term) \
          { \
            r.re = (R) HUGE_VAL * y.re; \
            r.im = (R) HUGE_VAL * y.im; \
          } \
      } \
    r.re = r.re == r.re ? r.re : (R) gpr_make_nan (); \
    r.im = r.im == r.im ? r.im : (R) gpr_make_nan (); \
    return r; \
  }
GPR_SCAN_DEFINE_TIMES (c128, f64, fabs, DBL_MAX)
GPR_SCAN_DEFINE_TIMES (c64, f32, fabsf, FLT_MAX)
GPR_FN c128 gpr_scan_c128 (f64 re, f64 im) { c128 z; z.re = re; z.im = im; return z; }
GPR_FN c64 gpr_scan_c64 (f32 re, f32 im) { c64 z; z.re = re; z.im = im; return z; }

/* ---- extremes -------------------------------------------------------------------

   NaN is skipped; the first of equal values wins.  A negative i says that there was no number
   yet.  The accumulator is aligned so that it has one size for the host's compiler and for nvcc,
   which aligns c128 to 16 bytes.  */
#define GPR_SCAN_EXTREME(id, T, ZERO, IS_NAN, IS_BETTER) \
  typedef T id##_x; \
  typedef struct __attribute__ ((aligned (16))) { T v; i64 i; } id##_a; \
  enum { id##_STEPS = GPR_SCAN_EXTREME_STEPS_OF (sizeof (T)), id##_EACH = 0 }; \
  GPR_FN int id##_none (T x) { return IS_NAN (x); } \
  GPR_FN int id##_beats (T x, T v) { return IS_BETTER (x, v); }         /* of real numbers a NaN x does not */ \
  GPR_FN int id##_better (T x, T v) { return ! IS_NAN (x) && IS_BETTER (x, v); } \
  GPR_FN int id##_takes (T x, T v) { return (! IS_NAN (x)) & (IS_BETTER (x, v) | IS_NAN (v)); }   /* v may be NaN */ \
  GPR_FN int id##_step (id##_a *a, T x, i64 row) \
  { \
    if (id##_better (x, a->v) || (a->i < 0 && ! IS_NAN (x))) \
      { \
        a->v = x; \
        a->i = row; \
      } \
    return 0; \
  } \
  GPR_FN void id##_first (id##_a *a, T x, i64 row) { a->v = ZERO; a->i = -1; id##_step (a, x, row); } \
  GPR_FN int id##_merge (id##_a *a, id##_a b) \
  { \
    if (b.i >= 0 && (a->i < 0 || IS_BETTER (b.v, a->v))) \
      *a = b; \
    return 0; \
  } \
  GPR_FN id##_a id##_plain (id##_a a, id##_a b) { id##_merge (&a, b); return a; } \
  GPR_FN void id##_next (id##_a *a, T x, i64 row) { id##_step (a, x, row); } \
  GPR_FN int id##_unsure (id##_a a) { (void) a; return 0; } \
  GPR_FN int id##_strange (id##_a a) { (void) a; return 0; } \
  GPR_FN i64 id##_row (id##_a a) { return a.i < 0 ? 0 : a.i; } \
  GPR_FN void id##_put (id##_a a, const T *first, T *y) { *y = a.i < 0 ? *first : a.v; } \
  GPR_FN short id##_pack (id##_a a, i64 from, T *y) { *y = a.v; return (short) (a.i < 0 ? -1 : a.i - from); } \
  GPR_FN id##_a id##_unpack (T y, short at, i64 from) { id##_a a; a.v = y; a.i = at < 0 ? -1 : from + at; return a; }
/* Without indices the accumulator is the value, NaN as long as there was no number.  */
#define GPR_SCAN_VALUES(id, T, IS_NAN, IS_BETTER) \
  typedef T id##_x; typedef T id##_a; \
  enum { id##_STEPS = GPR_SCAN_STEPS_OF (sizeof (T)), id##_EACH = 0 }; \
  GPR_FN int id##_merge (T *a, T b) { *a = IS_NAN (*a) || IS_BETTER (b, *a) ? b : *a; return 0; } \
  GPR_FN int id##_step (T *a, T x, i64 row) { (void) row; return id##_merge (a, x); } \
  GPR_FN void id##_first (T *a, T x, i64 row) { (void) row; *a = x; } \
  GPR_FN T id##_plain (T a, T b) { id##_merge (&a, b); return a; } \
  GPR_FN void id##_next (T *a, T x, i64 row) { id##_step (a, x, row); } \
  GPR_FN int id##_unsure (T a) { (void) a; return 0; } \
  GPR_FN int id##_strange (T a) { (void) a; return 0; } \
  GPR_FN i64 id##_row (T a) { (void) a; return 0; } \
  GPR_FN void id##_put (T a, const T *first, T *y) { *y = IS_NAN (a) ? *first : a; } \
  GPR_FN short id##_pack (T a, i64 from, T *y) { (void) from; *y = a; return 0; } \
  GPR_FN T id##_unpack (T y, short at, i64 from) { (void) at; (void) from; return y; }
#define GPR_SCAN_NAN(x) ((x) != (x))
#define GPR_SCAN_GT(x, y) ((x) > (y))
#define GPR_SCAN_LT(x, y) ((x) < (y))
#define GPR_SCAN_LT_c128(x, y) gpr_gt_c128 (y, x)
#define GPR_SCAN_LT_c64(x, y) gpr_gt_c64 (y, x)

#define GPR_SCAN_REALS(F) \
  F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)
#define GPR_SCAN_DEFINE_EXTREME(op, T, ZERO, IS_NAN, IS_BETTER) \
  GPR_SCAN_EXTREME (op##_##T, T, ZERO, IS_NAN, IS_BETTER) \
  GPR_SCAN_VALUES (values_##op##_##T, T, IS_NAN, IS_BETTER)
#define GPR_SCAN_DEFINE_REAL(T) \
  GPR_SCAN_DEFINE_EXTREME (cummax, T, 0, GPR_SCAN_NAN, GPR_SCAN_GT) \
  GPR_SCAN_DEFINE_EXTREME (cummin, T, 0, GPR_SCAN_NAN, GPR_SCAN_LT)
/* Of real numbers, one by one.  */
#define GPR_SCAN_DEFINE_cumsum(T) GPR_SCAN_ARITHMETIC (cumsum_##T, T, gpr_plus_##T, gpr_scan_over_##T, GPR_SCAN_PLUS, gpr_scan_endless_##T, 0, GPR_SCAN_NAN)
#define GPR_SCAN_DEFINE_cumprod(T) GPR_SCAN_ARITHMETIC (cumprod_##T, T, gpr_by_##T, gpr_scan_lossy_##T, GPR_SCAN_TIMES, gpr_scan_odd_##T, 1, GPR_SCAN_NAN)
#define GPR_SCAN_DEFINE_values_cummax(T) GPR_SCAN_VALUES (values_cummax_##T, T, GPR_SCAN_NAN, GPR_SCAN_GT)
#ifndef GPR_COMPILED_TERMS      /* which have one of these */
GPR_SCAN_REALS (GPR_SCAN_DEFINE_REAL)
GPR_SCAN_DEFINE_EXTREME (cummax, c128, gpr_scan_c128 (0, 0), gpr_nan_c128, gpr_gt_c128)
GPR_SCAN_DEFINE_EXTREME (cummin, c128, gpr_scan_c128 (0, 0), gpr_nan_c128, GPR_SCAN_LT_c128)
GPR_SCAN_DEFINE_EXTREME (cummax, c64, gpr_scan_c64 (0, 0), gpr_nan_c64, gpr_gt_c64)
GPR_SCAN_DEFINE_EXTREME (cummin, c64, gpr_scan_c64 (0, 0), gpr_nan_c64, GPR_SCAN_LT_c64)
GPR_SCAN_DEFINE_cumsum (f64) GPR_SCAN_DEFINE_cumsum (f32) GPR_SCAN_DEFINE_cumprod (f64) GPR_SCAN_DEFINE_cumprod (f32)
GPR_SCAN_ARITHMETIC (cumsum_c128, c128, gpr_scan_add_c128, gpr_scan_over_c128, gpr_scan_plus_c128, gpr_scan_endless_c128, 0, gpr_scan_endless_c128)
GPR_SCAN_ARITHMETIC (cumsum_c64, c64, gpr_scan_add_c64, gpr_scan_over_c64, gpr_scan_plus_c64, gpr_scan_endless_c64, 0, gpr_scan_endless_c64)
GPR_SCAN_ARITHMETIC (cumprod_c128, c128, gpr_scan_times_c128, gpr_scan_lossy_c128, gpr_mul_c128, gpr_scan_odd_c128, 1, gpr_scan_odd_c128)
GPR_SCAN_ARITHMETIC (cumprod_c64, c64, gpr_scan_times_c64, gpr_scan_lossy_c64, gpr_mul_c64, gpr_scan_odd_c64, 1, gpr_scan_odd_c64)
GPR_SCAN_DEFINE_ENDS (f64, copysign, fabs, DBL_MIN, DBL_MAX, DBL_EPSILON)
GPR_SCAN_DEFINE_ENDS (f32, copysignf, fabsf, FLT_MIN, FLT_MAX, FLT_EPSILON)
#endif

/* ---- the table: F (id, operator, element) ---------------------------------------- */

#define GPR_SCAN_COMPLEX_(F, id, op) F (id##_c128, op, c128) F (id##_c64, op, c64)
#define GPR_SCAN_FLOATS_(F, id, op) F (id##_f64, op, f64) F (id##_f32, op, f32) GPR_SCAN_COMPLEX_ (F, id, op)
#define GPR_SCAN_REAL_(F, id, op) F (id##_f64, op, f64) F (id##_f32, op, f32) F (id##_i8, op, i8) F (id##_u8, op, u8) F (id##_i16, op, i16) \
  F (id##_u16, op, u16) F (id##_i32, op, i32) F (id##_u32, op, u32) F (id##_i64, op, i64) F (id##_u64, op, u64)
#define GPR_SCAN_ALL_(F, id, op) GPR_SCAN_REAL_ (F, id, op) GPR_SCAN_COMPLEX_ (F, id, op)
#define GPR_SCAN_REAL_SUMS(F) F (cumsum_f64, cumsum, f64) F (cumsum_f32, cumsum, f32) F (cumprod_f64, cumprod, f64) F (cumprod_f32, cumprod, f32)    /* which end */
#define GPR_SCAN_SUMS(F) GPR_SCAN_FLOATS_ (F, cumsum, cumsum) GPR_SCAN_FLOATS_ (F, cumprod, cumprod)
#define GPR_SCAN_EXTREMES(F) GPR_SCAN_ALL_ (F, cummax, cummax) GPR_SCAN_ALL_ (F, cummin, cummin)
/* Extremes without indices: F (values_id, operator, element).  */
#define GPR_SCAN_EXTREME_VALUES(F) GPR_SCAN_ALL_ (F, values_cummax, cummax) GPR_SCAN_ALL_ (F, values_cummin, cummin)
#define GPR_SCANS(F) GPR_SCAN_SUMS (F) GPR_SCAN_EXTREMES (F)

typedef enum { GPR_SCAN_cumsum, GPR_SCAN_cumprod, GPR_SCAN_cummax, GPR_SCAN_cummin, GPR_SCAN_OPS } gpr_scan_op;

#endif
