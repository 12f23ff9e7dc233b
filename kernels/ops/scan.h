/* Cumulative sums, products and extremes: what each step does, for C11 and CUDA C++,
   and in what order.

   The n rows of a column are cut into blocks of gpr_scan_block (n) rows, a function of n alone,
   so that every device gives the same bits.  The result at a row is p o z: p combines the
   totals of the blocks before, one after the other, and z the rows of its own block up to it.  Columns of
   one block are therefore in the built-in's order; and since a block ends with exactly what the next one
   starts from, cumulative sums of numbers that are not negative never fall.

   Where a block's total overflows (of a product: or underflows), all columns of that outer
   index are done again as one block, in the built-in's order.  */

#ifndef GPR_OPS_SCAN_H
#define GPR_OPS_SCAN_H

#include "../common/scalars.h"

enum { GPR_SCAN_ROWS = 256, GPR_SCAN_BLOCKS = 65536 };

/* Rows of a block, of a column of n.  */
static inline int64_t
gpr_scan_block (int64_t n)
{
  int64_t rows = GPR_SCAN_ROWS;
  while ((n + rows - 1) / rows > GPR_SCAN_BLOCKS)
    rows *= 2;
  return rows;
}

/* An instance id has

     id_x id_a                       types of an element and the accumulator
     id_init ()                      the identity
     id_step (&a, x, row)            a <- a o x
     id_merge (&a, b)                a <- a o b, b of later rows
     id_doubtful (total)             whether a block's total says that the column must be
                                     done again in the built-in's order
     id_put (a, first, &y)           y <- the value; returns its row, of extremes.  first is the
                                     column's first element: the value as long as all are NaN  */

/* ---- sums and products ---------------------------------------------------------- */

#define GPR_SCAN_ARITHMETIC_(id, T, START, OP, DOUBT, FIRST) \
  typedef T id##_x; typedef T id##_a; \
  GPR_FN T id##_init (void) { return START; } \
  GPR_FN void id##_step (T *a, T x, i64 row) { *a = FIRST (row) ? x : OP (*a, x); } \
  GPR_FN void id##_merge (T *a, T b) { *a = OP (*a, b); } \
  GPR_FN int id##_doubtful (T a) { return DOUBT (a); } \
  GPR_FN i64 id##_put (T a, T first, T *y) { (void) first; *y = a; return 0; }
#define GPR_SCAN_ARITHMETIC(id, T, START, OP, DOUBT) GPR_SCAN_ARITHMETIC_ (id, T, START, OP, DOUBT, GPR_SCAN_NEVER)
#define GPR_SCAN_NEVER(row) ((void) (row), 0)
/* 1 is no identity of complex products: (1 + 0i) (Inf + 1i) has a NaN.  */
#define GPR_SCAN_AT_0(row) ((row) == 0)
/* A total that is NaN needs no second look if it is a sum: there is a NaN, or infinities of both
   signs, among its rows, and the built-in's sum is NaN, too.  But a product may be NaN because it
   overflowed and then met a 0.  */
#define GPR_SCAN_INFINITE_f64(a) (fabs (a) > DBL_MAX)
#define GPR_SCAN_INFINITE_f32(a) (fabs ((f64) (a)) > FLT_MAX)
#define GPR_SCAN_INFINITE_c128(a) (GPR_SCAN_INFINITE_f64 ((a).re) || GPR_SCAN_INFINITE_f64 ((a).im))
#define GPR_SCAN_INFINITE_c64(a) (GPR_SCAN_INFINITE_f32 ((a).re) || GPR_SCAN_INFINITE_f32 ((a).im))
#define GPR_SCAN_SMALL_f64(a) (! (fabs (a) >= DBL_MIN && fabs (a) <= DBL_MAX))
#define GPR_SCAN_SMALL_f32(a) (! (fabs ((f64) (a)) >= FLT_MIN && fabs ((f64) (a)) <= FLT_MAX))
#define GPR_SCAN_SMALL_c128(a) GPR_SCAN_SMALL_f64 (fabs ((a).re) + fabs ((a).im))
#define GPR_SCAN_SMALL_c64(a) GPR_SCAN_SMALL_f32 (fabs ((f64) (a).re) + fabs ((f64) (a).im))
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
/* Sums begin with -0: -0 + x is x for every x, -0 among them.  */
GPR_FN c128 gpr_scan_c128 (f64 re, f64 im) { c128 z; z.re = re; z.im = im; return z; }
GPR_FN c64 gpr_scan_c64 (f32 re, f32 im) { c64 z; z.re = re; z.im = im; return z; }

/* ---- extremes -------------------------------------------------------------------

   NaN is skipped; the first of equal values wins.  A negative i says that there was no number
   yet.  The accumulator is aligned so that it has one size for the host's compiler and for nvcc,
   which aligns c128 to 16 bytes.  */
#define GPR_SCAN_EXTREME(id, T, ZERO, IS_NAN, IS_BETTER) \
  typedef T id##_x; \
  typedef struct __attribute__ ((aligned (16))) { T v; i64 i; } id##_a; \
  GPR_FN id##_a id##_init (void) { id##_a a; a.v = ZERO; a.i = -1; return a; } \
  GPR_FN void id##_step (id##_a *a, T x, i64 row) \
  { if (! IS_NAN (x) && (a->i < 0 || IS_BETTER (x, a->v))) { a->v = x; a->i = row; } } \
  GPR_FN void id##_merge (id##_a *a, id##_a b) { if (b.i >= 0 && (a->i < 0 || IS_BETTER (b.v, a->v))) *a = b; } \
  GPR_FN int id##_doubtful (id##_a a) { (void) a; return 0; } \
  GPR_FN i64 id##_put (id##_a a, T first, T *y) { *y = a.i < 0 ? first : a.v; return a.i < 0 ? 0 : a.i; }
#define GPR_SCAN_NAN(x) ((x) != (x))
#define GPR_SCAN_GT(x, y) ((x) > (y))
#define GPR_SCAN_LT(x, y) ((x) < (y))
#define GPR_SCAN_LT_c128(x, y) gpr_gt_c128 (y, x)
#define GPR_SCAN_LT_c64(x, y) gpr_gt_c64 (y, x)

#define GPR_SCAN_REALS(F) \
  F (f64) F (f32) F (i8) F (u8) F (i16) F (u16) F (i32) F (u32) F (i64) F (u64)
#define GPR_SCAN_DEFINE_REAL(T) \
  GPR_SCAN_EXTREME (cummax_##T, T, 0, GPR_SCAN_NAN, GPR_SCAN_GT) \
  GPR_SCAN_EXTREME (cummin_##T, T, 0, GPR_SCAN_NAN, GPR_SCAN_LT)
GPR_SCAN_REALS (GPR_SCAN_DEFINE_REAL)
GPR_SCAN_EXTREME (cummax_c128, c128, gpr_scan_c128 (0, 0), gpr_nan_c128, gpr_gt_c128)
GPR_SCAN_EXTREME (cummin_c128, c128, gpr_scan_c128 (0, 0), gpr_nan_c128, GPR_SCAN_LT_c128)
GPR_SCAN_EXTREME (cummax_c64, c64, gpr_scan_c64 (0, 0), gpr_nan_c64, gpr_gt_c64)
GPR_SCAN_EXTREME (cummin_c64, c64, gpr_scan_c64 (0, 0), gpr_nan_c64, GPR_SCAN_LT_c64)
GPR_SCAN_ARITHMETIC (cumsum_f64, f64, -0.0, gpr_plus_f64, GPR_SCAN_INFINITE_f64)
GPR_SCAN_ARITHMETIC (cumsum_f32, f32, -0.0f, gpr_plus_f32, GPR_SCAN_INFINITE_f32)
GPR_SCAN_ARITHMETIC (cumsum_c128, c128, gpr_scan_c128 (-0.0, -0.0), gpr_scan_add_c128, GPR_SCAN_INFINITE_c128)
GPR_SCAN_ARITHMETIC (cumsum_c64, c64, gpr_scan_c64 (-0.0f, -0.0f), gpr_scan_add_c64, GPR_SCAN_INFINITE_c64)
GPR_SCAN_ARITHMETIC (cumprod_f64, f64, 1, gpr_by_f64, GPR_SCAN_SMALL_f64)
GPR_SCAN_ARITHMETIC (cumprod_f32, f32, 1, gpr_by_f32, GPR_SCAN_SMALL_f32)
GPR_SCAN_ARITHMETIC_ (cumprod_c128, c128, gpr_scan_c128 (1, 0), gpr_scan_times_c128, GPR_SCAN_SMALL_c128, GPR_SCAN_AT_0)
GPR_SCAN_ARITHMETIC_ (cumprod_c64, c64, gpr_scan_c64 (1, 0), gpr_scan_times_c64, GPR_SCAN_SMALL_c64, GPR_SCAN_AT_0)

/* ---- the table: F (id, operator, element) ---------------------------------------- */

#define GPR_SCAN_FLOATS_(F, op) F (op##_f64, op, f64) F (op##_f32, op, f32) F (op##_c128, op, c128) F (op##_c64, op, c64)
#define GPR_SCAN_ALL_(F, op) GPR_SCAN_FLOATS_ (F, op) F (op##_i8, op, i8) F (op##_u8, op, u8) F (op##_i16, op, i16) \
  F (op##_u16, op, u16) F (op##_i32, op, i32) F (op##_u32, op, u32) F (op##_i64, op, i64) F (op##_u64, op, u64)
#define GPR_SCANS(F) GPR_SCAN_FLOATS_ (F, cumsum) GPR_SCAN_FLOATS_ (F, cumprod) GPR_SCAN_ALL_ (F, cummax) GPR_SCAN_ALL_ (F, cummin)

typedef enum { GPR_SCAN_cumsum, GPR_SCAN_cumprod, GPR_SCAN_cummax, GPR_SCAN_cummin, GPR_SCAN_OPS } gpr_scan_op;

#endif
