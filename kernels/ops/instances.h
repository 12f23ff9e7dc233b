/* What every operator is: the one table, for C11 and CUDA C++.

   A reduction is one operator on one element type.  Its row in GPR_INSTANCES says

     id       its name; the enum constant is GPR_id
     FAMILY   the rule, defined below once for all types
     X A Y    element, accumulator and result type

   and the family's macro defines, for that id,

     id_x id_a id_y                  the three types
     id_init ()                      the identity
     id_step (&a, x, i)              a <- a o x, x being element i of the row;
                                     i < 0: plain order, see PROD
     id_merge (&a, b)                a <- a o b, a from the earlier elements
                                     (or, in lanes, in any order the tree fixes)
     id_finish (a, d, &y, &k)        y <- the result (divided by d unless d is
                                     0: means), k <- its 0-based index where
                                     the family has one; returns nonzero when
                                     y needs a second look (src/fix up.c)
     id_indexed                      1 where k is set, else 0

   What else a backend must know of a family is in its GPR_TRAITS_FAMILY.

   Backends (CPU loops, CUDA kernels, the simulator) are generated from this
   table; nothing about an operator is written anywhere else.  */

#ifndef GPR_INSTANCES_H
#define GPR_INSTANCES_H

#include "../common/scalars.h"

#define GPR_INSTANCE_TYPES(id, X, A, Y, has_index) \
  typedef X id##_x; typedef A id##_a; typedef Y id##_y; \
  enum { id##_indexed = has_index };

/* What two elements give (max (x, y) and the like): no reductions.  */
typedef enum { GPR_PAIR_MAX, GPR_PAIR_MIN, GPR_PAIR_TIMES, GPR_PAIR_MINUS } gpr_pair_op;

/* ---- traits: one line a family, where there is something to say ----------- */

enum {
  /* How a needs_fixup result is fixed up (src/fix up.c): one of these.  */
  GPR_FIXUP_NONE = 0, GPR_FIXUP_SUM, GPR_FIXUP_TERMS, GPR_FIXUP_SQUARES, GPR_FIXUP_EXTRA, GPR_FIXUP_PRODUCT,
  GPR_FIXUP_EXTREME, GPR_FIXUP_MASK = 7,
  GPR_OMITS = 8,                /* NaN elements are left out */
  GPR_ORDERED = 16,             /* the order of the elements matters, not only of the tree:
                                   a lane takes consecutive rows */
  GPR_HEAVY = 32,               /* a long step: unrolling it costs code and gains nothing */
  GPR_LOGARITHMS = 64,          /* of terms: else reciprocals */
  GPR_MAXIMUM = 128,            /* of extremes and places: else the minimum */
  GPR_HAS_INDEX = 256,
  GPR_PRODUCTS = 2048,          /* also of the products of two arrays, where X is A */
  GPR_EXACT = 4096,             /* any order of the elements gives the same */
  GPR_WHOLE = 8192,             /* sums of integers themselves */
  GPR_COMMON = 16384,           /* worth kernels for short rows */
  GPR_DECIDED_BY_1 = 512,       /* no element changes an accumulator of 1 (of 0) */
  GPR_DECIDED_BY_0 = 1024
};
#define GPR_TRAITS_SUM       GPR_FIXUP_SUM | GPR_PRODUCTS | GPR_COMMON
#define GPR_TRAITS_SUMOMIT   GPR_FIXUP_SUM | GPR_OMITS
#define GPR_TRAITS_CSUM      GPR_FIXUP_SUM | GPR_PRODUCTS | GPR_COMMON
#define GPR_TRAITS_CSUMOMIT  GPR_FIXUP_SUM | GPR_OMITS
#define GPR_TRAITS_ISUM      GPR_EXACT | GPR_WHOLE | GPR_COMMON
#define GPR_TRAITS_WRAPSUM   GPR_FIXUP_NONE
#define GPR_TRAITS_WRAPPROD  GPR_FIXUP_NONE
#define GPR_TRAITS_WIDESUM   GPR_EXACT
#define GPR_TRAITS_DD        GPR_FIXUP_EXTRA
#define GPR_TRAITS_DDOMIT    GPR_FIXUP_EXTRA | GPR_OMITS
#define GPR_TRAITS_CDD       GPR_FIXUP_EXTRA
#define GPR_TRAITS_CDDOMIT   GPR_FIXUP_EXTRA | GPR_OMITS
#define GPR_TRAITS_LOG       GPR_FIXUP_TERMS | GPR_HEAVY | GPR_LOGARITHMS
#define GPR_TRAITS_CLOG      GPR_FIXUP_TERMS | GPR_HEAVY | GPR_LOGARITHMS
#define GPR_TRAITS_RECIP     GPR_FIXUP_TERMS | GPR_HEAVY
#define GPR_TRAITS_CRECIP    GPR_FIXUP_TERMS | GPR_HEAVY
#define GPR_TRAITS_SQ        GPR_FIXUP_SQUARES
#define GPR_TRAITS_SQOMIT    GPR_FIXUP_SQUARES | GPR_OMITS
#define GPR_TRAITS_CSQ       GPR_FIXUP_SQUARES
#define GPR_TRAITS_CSQOMIT   GPR_FIXUP_SQUARES | GPR_OMITS
#define GPR_TRAITS_ISQ       GPR_EXACT
#define GPR_TRAITS_WIDESQ    GPR_EXACT
#define GPR_TRAITS_SQ192     GPR_EXACT
#define GPR_TRAITS_PROD      GPR_FIXUP_PRODUCT
#define GPR_TRAITS_PRODOMIT  GPR_FIXUP_PRODUCT | GPR_OMITS
#define GPR_TRAITS_CPROD     GPR_FIXUP_PRODUCT
#define GPR_TRAITS_CPRODOMIT GPR_FIXUP_PRODUCT | GPR_OMITS
#define GPR_TRAITS_SATSUM    GPR_ORDERED | GPR_HEAVY
#define GPR_TRAITS_SATSUM128 GPR_ORDERED | GPR_HEAVY
#define GPR_TRAITS_SATPROD   GPR_ORDERED | GPR_HEAVY
#define GPR_TRAITS_SATPROD128 GPR_ORDERED | GPR_HEAVY
#define GPR_TRAITS_MAX       GPR_FIXUP_EXTREME | GPR_MAXIMUM | GPR_EXACT | GPR_COMMON
#define GPR_TRAITS_MIN       GPR_FIXUP_EXTREME | GPR_EXACT | GPR_COMMON
#define GPR_TRAITS_ARGMAX  GPR_HAS_INDEX | GPR_MAXIMUM | GPR_EXACT
#define GPR_TRAITS_ARGMIN  GPR_HAS_INDEX | GPR_EXACT
#define GPR_TRAITS_CARGMAX GPR_HAS_INDEX | GPR_MAXIMUM | GPR_HEAVY
#define GPR_TRAITS_CARGMIN GPR_HAS_INDEX | GPR_HEAVY
#define GPR_TRAITS_NANINDEX  GPR_EXACT
#define GPR_TRAITS_ANY       GPR_DECIDED_BY_1 | GPR_EXACT
#define GPR_TRAITS_CANY      GPR_DECIDED_BY_1 | GPR_EXACT
#define GPR_TRAITS_ALL       GPR_DECIDED_BY_0 | GPR_EXACT
#define GPR_TRAITS_CALL      GPR_DECIDED_BY_0 | GPR_EXACT
#define GPR_TRAITS_NANCOUNT  GPR_EXACT
#define GPR_TRAITS_CNANCOUNT GPR_EXACT
#define GPR_TRAITS_MOMENTS   GPR_COMMON
#define GPR_TRAITS_MOMENTSOMIT GPR_OMITS | GPR_COMMON
#define GPR_TRAITS_CMOMENTS  GPR_HEAVY
#define GPR_TRAITS_CMOMENTSOMIT GPR_HEAVY | GPR_OMITS
#define GPR_TRAITS_SUMMARY   GPR_OMITS
#define GPR_TRAITS_NORM1     GPR_FIXUP_NONE
#define GPR_TRAITS_NORM2     GPR_FIXUP_NONE
#define GPR_TRAITS_CNORM2    GPR_HEAVY
#define GPR_TRAITS_WIDENORM2 GPR_FIXUP_NONE
#define GPR_TRAITS_CWIDENORM2 GPR_FIXUP_NONE
#define GPR_TRAITS_NORMMAX   GPR_EXACT
#define GPR_TRAITS_NONZERO   GPR_EXACT
#define GPR_TRAITS_CNONZERO  GPR_EXACT
#define GPR_TRAITS_SEEN      GPR_EXACT
#define GPR_TRAITS_CSEEN     GPR_EXACT
#define GPR_TRAITS_CSEENOMIT GPR_EXACT

/* ---- sums ------------------------------------------------------------
   From +0, so an empty or all-negative-zero sum is +0.  A result that is not
   finite is looked at again: NA, overflow inside the tree.  */

#define GPR_DEF_SUM_WITH(id, X, A, Y, TERM, NEEDS_FIXUP) \
  GPR_INSTANCE_TYPES (id, X, A, Y, 0) \
  GPR_FN A id##_init (void) { return 0; } \
  GPR_FN void id##_step (A *a, X x, i64 i) { (void) i; *a = *a + (TERM); } \
  GPR_FN void id##_merge (A *a, A b) { *a = *a + b; } \
  GPR_FN int id##_finish (A a, f64 d, Y *y, i64 *k) \
  { (void) k; *y = d != 0 ? (Y) a / (Y) d : (Y) a; return NEEDS_FIXUP; }

#define GPR_DEF_SUM(id, X, A, Y)     GPR_DEF_SUM_WITH (id, X, A, Y, (A) x, ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_SUMOMIT(id, X, A, Y) GPR_DEF_SUM_WITH (id, X, A, Y, (x == x ? (A) x : (A) 0), ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_SQ(id, X, A, Y)      GPR_DEF_SUM_WITH (id, X, A, Y, (A) x * (A) x, ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_SQOMIT(id, X, A, Y)  GPR_DEF_SUM_WITH (id, X, A, Y, (x == x ? (A) x * (A) x : (A) 0), ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_LOG(id, X, A, Y)     GPR_DEF_SUM_WITH (id, X, A, Y, GPR_LOG_##X (x), ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_RECIP(id, X, A, Y)   GPR_DEF_SUM_WITH (id, X, A, Y, (A) 1 / (A) x, ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_ISUM(id, X, A, Y)    GPR_DEF_SUM_WITH (id, X, A, Y, (A) x, 0)
#define GPR_DEF_ISQ(id, X, A, Y)     GPR_DEF_SUM_WITH (id, X, A, Y, (A) ((i64) x * (i64) x), 0)
#define GPR_DEF_NANCOUNT(id, X, A, Y) GPR_DEF_SUM_WITH (id, X, A, Y, x != x, 0)
#define GPR_LOG_f64(x) log (x)
#define GPR_LOG_f32(x) logf (x)

/* In the element's own 32 bits: modulo 2^32.  */
#define GPR_DEF_WRAP_WITH(id, START, OP) \
  GPR_INSTANCE_TYPES (id, i32, i32, i32, 0) \
  GPR_FN i32 id##_init (void) { return START; } \
  GPR_FN void id##_step (i32 *a, i32 x, i64 i) { (void) i; *a = (i32) ((u32) *a OP (u32) x); } \
  GPR_FN void id##_merge (i32 *a, i32 b) { *a = (i32) ((u32) *a OP (u32) b); } \
  GPR_FN int id##_finish (i32 a, f64 d, i32 *y, i64 *k) { (void) d; (void) k; *y = a; return 0; }
#define GPR_DEF_WRAPSUM(id, X, A, Y)  GPR_DEF_WRAP_WITH (id, 0, +)
#define GPR_DEF_WRAPPROD(id, X, A, Y) GPR_DEF_WRAP_WITH (id, 1, *)

/* 128-bit sums and sums of squares, rounded once.  */
#define GPR_DEF_WIDE_WITH(id, X, A, TO_F64, TERM) \
  GPR_INSTANCE_TYPES (id, X, A, f64, 0) \
  GPR_FN A id##_init (void) { return 0; } \
  GPR_FN void id##_step (A *a, X x, i64 i) { (void) i; *a = *a + (TERM); } \
  GPR_FN void id##_merge (A *a, A b) { *a = *a + b; } \
  GPR_FN int id##_finish (A a, f64 d, f64 *y, i64 *k) \
  { (void) k; *y = d != 0 ? TO_F64 (a) / d : TO_F64 (a); return 0; }
#define GPR_DEF_WIDESUM(id, X, A, Y) GPR_DEF_WIDE_WITH (id, X, A, gpr_i128_f64, (A) x)
#define GPR_DEF_WIDESQ(id, X, A, Y)  GPR_DEF_WIDE_WITH (id, X, A, gpr_u128_f64, (u64) x * (u64) x)
#define GPR_DEF_SQ192(id, X, A, Y) \
  GPR_INSTANCE_TYPES (id, X, A, Y, 0) \
  GPR_FN u192 id##_init (void) { u192 a = {{0, 0, 0}}; return a; } \
  GPR_FN void id##_merge (u192 *a, u192 b) { gpr_u192_add (a, b); } \
  GPR_FN void id##_step (u192 *a, X x, i64 i) \
  { \
    i128 w = x; \
    u64 m = (u64) (w < 0 ? -w : w); \
    u128 p = (u128) m * m; \
    u192 b = {{(u64) p, (u64) (p >> 64), 0}}; \
    (void) i; \
    gpr_u192_add (a, b); \
  } \
  GPR_FN int id##_finish (u192 a, f64 d, f64 *y, i64 *k) { (void) d; (void) k; *y = gpr_u192_f64 (a); return 0; }

/* Complex sums: by component.  */
#define GPR_DEF_CSUM_WITH(id, X, A, R, SKIP) \
  GPR_INSTANCE_TYPES (id, X, A, A, 0) \
  GPR_FN A id##_init (void) { A a = {0, 0}; return a; } \
  GPR_FN void id##_step (A *a, X x, i64 i) { (void) i; if (! (SKIP)) { a->re = a->re + x.re; a->im = a->im + x.im; } } \
  GPR_FN void id##_merge (A *a, A b) { a->re = a->re + b.re; a->im = a->im + b.im; } \
  GPR_FN int id##_finish (A a, f64 d, A *y, i64 *k) \
  { \
    (void) k; \
    if (d != 0) { a.re = a.re / (R) d; a.im = a.im / (R) d; } \
    *y = a; \
    return ! (gpr_finite_f64 (a.re) && gpr_finite_f64 (a.im)); \
  }
#define GPR_DEF_CSUM(id, X, A, Y)     GPR_DEF_CSUM_WITH (id, X, A, Y, 0)
#define GPR_DEF_CSUMOMIT(id, X, A, Y) GPR_DEF_CSUM_WITH (id, X, A, Y, (gpr_nan_##X (x)))
#define GPR_DEF_CSQ_WITH(id, X, A, KEEP) \
  GPR_DEF_SUM_WITH (id, X, A, A, ((KEEP) ? x.re * x.re + x.im * x.im : (A) 0), ! gpr_finite_f64 ((f64) *y))
#define GPR_DEF_CSQ(id, X, A, Y)     GPR_DEF_CSQ_WITH (id, X, A, 1)
#define GPR_DEF_CSQOMIT(id, X, A, Y) GPR_DEF_CSQ_WITH (id, X, A, ! gpr_nan_##X (x))
/* log z and 1 / z, summed; their products are for mean's "g" and "h".  */
#define GPR_DEF_CTERM_WITH(id, X, R, TERM) \
  GPR_INSTANCE_TYPES (id, X, X, X, 0) \
  GPR_FN X id##_init (void) { X a = {0, 0}; return a; } \
  GPR_FN void id##_step (X *a, X x, i64 i) { X t; (void) i; TERM; a->re = a->re + t.re; a->im = a->im + t.im; } \
  GPR_FN void id##_merge (X *a, X b) { a->re = a->re + b.re; a->im = a->im + b.im; } \
  GPR_FN int id##_finish (X a, f64 d, X *y, i64 *k) \
  { \
    (void) k; \
    if (d != 0) { a.re = a.re / (R) d; a.im = a.im / (R) d; } \
    *y = a; \
    return ! (gpr_finite_f64 (a.re) && gpr_finite_f64 (a.im)); \
  }
#define GPR_DEF_CLOG(id, X, A, Y) \
  GPR_DEF_CTERM_WITH (id, X, A, (t.re = GPR_LOG_##A (gpr_abs_##X (x)), t.im = GPR_ATAN2_##A (x.im, x.re)))
#define GPR_ATAN2_f64(y, x) atan2 (y, x)
#define GPR_ATAN2_f32(y, x) atan2f (y, x)
/* Smith's division: no overflow in between.  */
#define GPR_DEF_CRECIP(id, X, A, Y) \
  GPR_DEF_CTERM_WITH (id, X, A, \
    A q; A v; \
    if (fabs ((f64) x.re) >= fabs ((f64) x.im)) \
      { q = x.im / x.re; v = x.re + x.im * q; t.re = (A) 1 / v; t.im = -q / v; } \
    else \
      { q = x.re / x.im; v = x.re * q + x.im; t.re = q / v; t.im = (A) -1 / v; })

/* Compensated sums ("extra").  */
#define GPR_DEF_DD_WITH(id, KEEP) \
  GPR_INSTANCE_TYPES (id, f64, dd, f64, 0) \
  GPR_FN dd id##_init (void) { dd a = {0, 0}; return a; } \
  GPR_FN void id##_step (dd *a, f64 x, i64 i) { (void) i; if (KEEP) gpr_dd_add (a, x); } \
  GPR_FN void id##_merge (dd *a, dd b) { gpr_dd_add (a, b.sum); a->err = a->err + b.err; } \
  GPR_FN int id##_finish (dd a, f64 d, f64 *y, i64 *k) \
  { (void) k; *y = a.sum + a.err; if (d != 0) *y = *y / d; return ! gpr_finite_f64 (*y); }
#define GPR_DEF_DD(id, X, A, Y)     GPR_DEF_DD_WITH (id, 1)
#define GPR_DEF_DDOMIT(id, X, A, Y) GPR_DEF_DD_WITH (id, x == x)
#define GPR_DEF_CDD_WITH(id, KEEP) \
  GPR_INSTANCE_TYPES (id, c128, cdd, c128, 0) \
  GPR_FN cdd id##_init (void) { cdd a = {{0, 0}, {0, 0}}; return a; } \
  GPR_FN void id##_step (cdd *a, c128 x, i64 i) \
  { (void) i; if (KEEP) { gpr_dd_add (&a->re, x.re); gpr_dd_add (&a->im, x.im); } } \
  GPR_FN void id##_merge (cdd *a, cdd b) \
  { \
    gpr_dd_add (&a->re, b.re.sum); a->re.err = a->re.err + b.re.err; \
    gpr_dd_add (&a->im, b.im.sum); a->im.err = a->im.err + b.im.err; \
  } \
  GPR_FN int id##_finish (cdd a, f64 d, c128 *y, i64 *k) \
  { \
    (void) k; \
    y->re = a.re.sum + a.re.err; y->im = a.im.sum + a.im.err; \
    if (d != 0) { y->re = y->re / d; y->im = y->im / d; } \
    return ! (gpr_finite_f64 (y->re) && gpr_finite_f64 (y->im)); \
  }
#define GPR_DEF_CDD(id, X, A, Y)     GPR_DEF_CDD_WITH (id, 1)
#define GPR_DEF_CDDOMIT(id, X, A, Y) GPR_DEF_CDD_WITH (id, ! gpr_nan_c128 (x))

/* ---- products --------------------------------------------------------
   A partial product that leaves the normal range although no factor is zero
   becomes NaN, so that the result is taken again in the built-in's order;
   that run passes i < 0 and nothing is marked.  */

/* r, or NaN where it is small though neither factor is zero.  Selects only, so
   that loops of it vectorise.  */
#define GPR_DEF_MARKED_PRODUCT(T, FABS) \
GPR_FN T gpr_marked_product_##T (T a, T b, T small) \
{ \
  T r = a * b, x = FABS (a), y = FABS (b), least = x < y ? x : y; \
  T lost = FABS (r) < small ? least : 0; \
  return lost > 0 ? (T) gpr_make_nan () : r; \
}
GPR_DEF_MARKED_PRODUCT (f64, fabs)
GPR_DEF_MARKED_PRODUCT (f32, fabsf)
#define GPR_DEF_PROD_WITH(id, X, A, Y, SMALL, FACTOR) \
  GPR_INSTANCE_TYPES (id, X, A, Y, 0) \
  GPR_FN A id##_init (void) { return 1; } \
  GPR_FN void id##_step (A *a, X x, i64 i) { *a = gpr_marked_product_##A (*a, FACTOR, i >= 0 ? SMALL : 0); } \
  GPR_FN void id##_merge (A *a, A b) { *a = gpr_marked_product_##A (*a, b, SMALL); } \
  GPR_FN int id##_finish (A a, f64 d, Y *y, i64 *k) { (void) d; (void) k; *y = a; return ! gpr_finite_f64 ((f64) a); }
#define GPR_DEF_PROD(id, X, A, Y)     GPR_DEF_PROD_WITH (id, X, A, Y, GPR_SMALL_##A, (A) x)
#define GPR_DEF_PRODOMIT(id, X, A, Y) GPR_DEF_PROD_WITH (id, X, A, Y, GPR_SMALL_##A, (x == x ? (A) x : (A) 1))
#define GPR_SMALL_f64 DBL_MIN
#define GPR_SMALL_f32 FLT_MIN
#define GPR_DEF_CPROD_WITH(id, X, A, R, SKIP) \
  GPR_INSTANCE_TYPES (id, X, A, A, 0) \
  GPR_FN A id##_init (void) { A a = {1, 0}; return a; } \
  GPR_FN void id##_step (A *a, X x, i64 i) \
  { A f; (void) i; f.re = x.re; f.im = x.im; if (! (SKIP)) *a = gpr_mul_##A (*a, f); } \
  GPR_FN void id##_merge (A *a, A b) { *a = gpr_mul_##A (*a, b); } \
  GPR_FN int id##_finish (A a, f64 d, A *y, i64 *k) \
  { \
    (void) d; (void) k; \
    *y = a; \
    return ! (gpr_finite_f64 (a.re) && gpr_finite_f64 (a.im)) || fabs (a.re) + fabs (a.im) < GPR_SMALL_##R; \
  }
#define GPR_DEF_CPROD(id, X, A, Y)     GPR_DEF_CPROD_WITH (id, X, A, Y, 0)
#define GPR_DEF_CPRODOMIT(id, X, A, Y) GPR_DEF_CPROD_WITH (id, X, A, Y, (gpr_nan_##X (x)))

/* ---- "native" sums and products of integers: saturating at every step, in
   order.  The maps x -> clamp (x + m) and x -> clamp (x * m) are closed under
   composition, so the tree is exact (and must keep the order: GPR_ORDERED).
   m is held at a value beyond which every x saturates.  */

#define GPR_DEF_SAT(id, X, S, CLAMP, TWICE, MIN, MAX, START, OP_M, OP_V) \
  GPR_INSTANCE_TYPES (id, X, S, X, 0) \
  GPR_FN S id##_init (void) { S a = {START, MIN, MAX}; return a; } \
  GPR_FN void id##_merge (S *a, S b) \
  { \
    S r; \
    r.m = OP_M (a->m, b.m, TWICE); \
    r.lo = CLAMP (OP_V (a->lo, b.m, TWICE), b.lo, b.hi); \
    r.hi = CLAMP (OP_V (a->hi, b.m, TWICE), b.lo, b.hi); \
    if (r.lo > r.hi) { S t = r; r.lo = t.hi; r.hi = t.lo; } \
    *a = r; \
  } \
  GPR_FN void id##_step (S *a, X x, i64 i) { S b = {x, MIN, MAX}; (void) i; id##_merge (a, b); } \
  GPR_FN int id##_finish (S a, f64 d, X *y, i64 *k) \
  { (void) d; (void) k; *y = (X) CLAMP (OP_V (START, a.m, TWICE), a.lo, a.hi); return 0; }
#define GPR_ADD_HELD64(x, y, lim) gpr_clamp64 ((x) + (y), -(lim), lim)
#define GPR_ADD_HELD128(x, y, lim) gpr_clamp128 ((x) + (y), -(lim), lim)
#define GPR_MUL_HELD64(x, y, lim) ((i64) gpr_mul_held (x, y, lim))
#define GPR_MUL_HELD128(x, y, lim) gpr_mul_held (x, y, lim)
#define GPR_TWICE64 ((i64) 1 << 34)
#define GPR_TWICE128 ((i128) 1 << 66)
#define GPR_DEF_SATSUM(id, X, A, Y) \
  GPR_DEF_SAT (id, X, sat64, gpr_clamp64, GPR_TWICE64, GPR_MIN_##X, GPR_MAX_##X, 0, GPR_ADD_HELD64, GPR_ADD_HELD64)
#define GPR_DEF_SATPROD(id, X, A, Y) \
  GPR_DEF_SAT (id, X, sat64, gpr_clamp64, GPR_TWICE64, GPR_MIN_##X, GPR_MAX_##X, 1, GPR_MUL_HELD64, GPR_MUL_HELD64)
#define GPR_DEF_SATSUM128(id, X, A, Y) \
  GPR_DEF_SAT (id, X, sat128, gpr_clamp128, GPR_TWICE128, GPR_MIN_##X, GPR_MAX_##X, 0, GPR_ADD_HELD128, GPR_ADD_HELD128)
#define GPR_DEF_SATPROD128(id, X, A, Y) \
  GPR_DEF_SAT (id, X, sat128, gpr_clamp128, GPR_TWICE128, GPR_MIN_##X, GPR_MAX_##X, 1, GPR_MUL_HELD128, GPR_MUL_HELD128)

/* ---- max, min --------------------------------------------------------
   NaN is skipped; the first of equal values wins, and 0 equals -0.  The fast
   reduction keeps values only.  Its answer is not final when it is a zero (whose
   sign is that of the first zero) or the identity (perhaps all were NaN):
   then the indexed reduction decides.  */

#define GPR_DEF_EXTREME(id, X, WORST, IS_BETTER, NEEDS_FIXUP) \
  GPR_INSTANCE_TYPES (id, X, X, X, 0) \
  GPR_FN X id##_init (void) { return WORST; } \
  GPR_FN void id##_step (X *a, X x, i64 i) { (void) i; *a = x IS_BETTER *a ? x : *a; } \
  GPR_FN void id##_merge (X *a, X b) { *a = b IS_BETTER *a ? b : *a; } \
  GPR_FN int id##_finish (X a, f64 d, X *y, i64 *k) { (void) d; (void) k; *y = a; return NEEDS_FIXUP; }
#define GPR_DEF_MAX(id, X, A, Y) GPR_DEF_EXTREME (id, X, GPR_MIN_##X, >, (a == 0 || a == GPR_MIN_##X) && GPR_IS_FLOAT_##X)
#define GPR_DEF_MIN(id, X, A, Y) GPR_DEF_EXTREME (id, X, GPR_MAX_##X, <, (a == 0 || a == GPR_MAX_##X) && GPR_IS_FLOAT_##X)

#define GPR_DEF_ARG_WITH(id, X, IS_NAN, IS_BETTER) \
  typedef struct { i64 i; X v; } id##_pair; \
  GPR_INSTANCE_TYPES (id, X, id##_pair, X, 1) \
  GPR_FN id##_pair id##_init (void) { id##_pair a; a.i = INT64_MAX; a.v = GPR_ZERO_##X; return a; } \
  GPR_FN void id##_merge (id##_pair *a, id##_pair b) \
  { \
    int na, nb; \
    if (b.i == INT64_MAX) return; \
    if (a->i == INT64_MAX) { *a = b; return; } \
    na = IS_NAN (a->v); nb = IS_NAN (b.v); \
    if (na != nb) { if (na) *a = b; } \
    else if (! na && IS_BETTER (b.v, a->v)) *a = b; \
    else if ((na || ! IS_BETTER (a->v, b.v)) && b.i < a->i) *a = b; \
  } \
  GPR_FN void id##_step (id##_pair *a, X x, i64 i) \
  { if (a->i == INT64_MAX || (IS_NAN (a->v) && ! IS_NAN (x)) || IS_BETTER (x, a->v)) { a->i = i; a->v = x; } } \
  GPR_FN int id##_finish (id##_pair a, f64 d, X *y, i64 *k) { (void) d; *y = a.v; *k = a.i; return 0; }
#define GPR_GT(x, y) ((x) > (y))
#define GPR_LT(x, y) ((x) < (y))
#define GPR_GT_c128(x, y) (! gpr_nan_c128 (x) && gpr_gt_c128 (x, y))
#define GPR_LT_c128(x, y) (! gpr_nan_c128 (x) && gpr_gt_c128 (y, x))
#define GPR_GT_c64(x, y) (! gpr_nan_c64 (x) && gpr_gt_c64 (x, y))
#define GPR_LT_c64(x, y) (! gpr_nan_c64 (x) && gpr_gt_c64 (y, x))
#define GPR_ISNAN(x) ((x) != (x))
#define GPR_DEF_ARGMAX(id, X, A, Y)  GPR_DEF_ARG_WITH (id, X, GPR_ISNAN, GPR_GT)
#define GPR_DEF_ARGMIN(id, X, A, Y)  GPR_DEF_ARG_WITH (id, X, GPR_ISNAN, GPR_LT)
#define GPR_DEF_CARGMAX(id, X, A, Y) GPR_DEF_ARG_WITH (id, X, gpr_nan_##X, GPR_GT_##X)
#define GPR_DEF_CARGMIN(id, X, A, Y) GPR_DEF_ARG_WITH (id, X, gpr_nan_##X, GPR_LT_##X)

/* Where the first NaN is (for "includenan"): its value and index, or index
   INT64_MAX.  */
#define GPR_DEF_NANINDEX(id, X, A, Y) \
  typedef struct { i64 i; X v; } id##_pair; \
  GPR_INSTANCE_TYPES (id, X, id##_pair, X, 1) \
  GPR_FN id##_pair id##_init (void) { id##_pair a; a.i = INT64_MAX; a.v = GPR_ZERO_##X; return a; } \
  GPR_FN void id##_merge (id##_pair *a, id##_pair b) { if (b.i < a->i) *a = b; } \
  GPR_FN void id##_step (id##_pair *a, X x, i64 i) { if (gpr_nan_##X (x) && i < a->i) { a->i = i; a->v = x; } } \
  GPR_FN int id##_finish (id##_pair a, f64 d, X *y, i64 *k) { (void) d; *y = a.v; *k = a.i; return 0; }

/* ---- any, all --------------------------------------------------------
   any takes NaN as false, all as true (Octave 7.3).  */

#define GPR_DEF_BITS(id, X, START, OP, TERM) \
  GPR_INSTANCE_TYPES (id, X, u8, u8, 0) \
  GPR_FN u8 id##_init (void) { return START; } \
  GPR_FN void id##_step (u8 *a, X x, i64 i) { (void) i; *a = (u8) (*a OP (u8) (TERM)); } \
  GPR_FN void id##_merge (u8 *a, u8 b) { *a = (u8) (*a OP b); } \
  GPR_FN int id##_finish (u8 a, f64 d, u8 *y, i64 *k) { (void) d; (void) k; *y = a; return 0; }
#define GPR_DEF_ANY(id, X, A, Y)  GPR_DEF_BITS (id, X, 0, |, (x != 0) & (x == x))
#define GPR_DEF_ALL(id, X, A, Y)  GPR_DEF_BITS (id, X, 1, &, x != 0)
#define GPR_DEF_CANY(id, X, A, Y) GPR_DEF_BITS (id, X, 0, |, ((x.re != 0) | (x.im != 0)) & ! gpr_nan_##X (x))
#define GPR_DEF_CALL(id, X, A, Y) GPR_DEF_BITS (id, X, 1, &, (x.re != 0) | (x.im != 0))

/* ---- variance: the sum of squares of the distances to the mean ---------
   A lane takes the distances to its own first element, which is one of those whose
   spread is asked for: what cancels in the end is at most a lane's length times the
   result's own rounding.  Lanes merge by Chan, Golub and LeVeque (1979).  Singles
   are taken as doubles.  */

/* *at <- *at + d; returns what rounding took.  */
GPR_FN f64 gpr_moments_shift (f64 *at, f64 d)
{
  f64 s = *at + d, t = s - *at, lost = (*at - (s - t)) + (d - t);
  *at = s;
  return lost;
}
/* Division by counts.  A GPU divides slowly, and a count is mostly a power of two: then the product
   with its inverse has the same bits.  */
#ifdef __CUDA_ARCH__
GPR_FN int gpr_is_power (f64 n)
{
  union { f64 f; u64 u; } v;
  v.f = n;
  return ! (v.u << 12);
}
GPR_FN f64 gpr_by_power (f64 x, f64 n)
{
  union { f64 f; u64 u; } v;
  v.f = n;
  v.u = (2046ull << 52) - v.u;
  return x * v.f;
}
#endif
/* q[i] <- x[i] / n[i], three at once: what follows is then one piece.  */
GPR_FN void gpr_by_counts (f64 *q, const f64 *x, const f64 *n)
{
#ifdef __CUDA_ARCH__
  if (gpr_is_power (n[0]) & gpr_is_power (n[1]) & gpr_is_power (n[2]))
    {
      q[0] = gpr_by_power (x[0], n[0]);
      q[1] = gpr_by_power (x[1], n[1]);
      q[2] = gpr_by_power (x[2], n[2]);
      return;
    }
#endif
  q[0] = x[0] / n[0];
  q[1] = x[1] / n[1];
  q[2] = x[2] / n[2];
}
/* d is sum / n: at becomes the mean, sum what is to be added to it (its rounding), and the
   squares those of the distances to it; n above 0.  */
GPR_FN void gpr_moments_center (moments *a, f64 d)
{
  f64 q = a->squares - a->sum * d;
  a->sum = gpr_moments_shift (&a->at, d);
  a->squares = q < 0 ? 0 : q;
}
/* Selects only, so that loops of it vectorise.  */
GPR_FN void gpr_moments_merge (moments *a, moments b)
{
  const moments first = *a, second = b;
  f64 n = a->n + b.n, d, part, lost, q[3], x[3], by[3];
  int none = first.n == 0, stays = second.n == 0;
  x[0] = a->sum; x[1] = b.sum; x[2] = b.n;
  by[0] = a->n; by[1] = b.n; by[2] = n;
  gpr_by_counts (q, x, by);
  gpr_moments_center (a, q[0]);
  gpr_moments_center (&b, q[1]);
  part = q[2];
  d = (b.at - a->at) + (b.sum - a->sum);
  lost = gpr_moments_shift (&a->at, d * part + a->sum);
  a->sum = n * lost;            /* as in a lane: of distances to at */
  a->squares = a->squares + b.squares + d * d * (a->n * part) + a->sum * lost;
  a->n = n;
  a->at = stays ? first.at : none ? second.at : a->at;
  a->sum = stays ? first.sum : none ? second.sum : a->sum;
  a->squares = stays ? first.squares : none ? second.squares : a->squares;
}
GPR_FN void gpr_moments_step (moments *a, f64 v, int skip)
{
  f64 at = a->n == 0 ? v : a->at, d = v - at;
  a->at = skip ? a->at : at;
  a->n = skip ? a->n : a->n + 1;
  a->sum = skip ? a->sum : a->sum + d;
  a->squares = skip ? a->squares : a->squares + d * d;
}
/* The same of count elements, one after the other, none of them skipped.  */
GPR_FN void gpr_moments_run (moments *a, const f64 *v, int count)
{
  int i;
  f64 at = a->n == 0 ? v[0] : a->at;
  a->at = at;
  a->n = a->n + count;
  for (i = 0; i < count; i++)
    {
      f64 d = v[i] - at;
      a->sum = a->sum + d;
      a->squares = a->squares + d * d;
    }
}
#define GPR_DEF_MOMENTS_WITH(id, X, SKIP) \
  GPR_INSTANCE_TYPES (id, X, moments, spread, 0) \
  GPR_FN moments id##_init (void) { moments a = {0, 0, 0, 0}; return a; } \
  GPR_FN void id##_step (moments *a, X x, i64 i) { (void) i; gpr_moments_step (a, x, SKIP); } \
  GPR_FN void id##_merge (moments *a, moments b) { gpr_moments_merge (a, b); } \
  GPR_FN int id##_finish (moments a, f64 d, spread *y, i64 *k) \
  { (void) d; (void) k; if (a.n > 0) gpr_moments_center (&a, a.sum / a.n); y->n = a.n; y->mean = gpr_plain_f64 (a.at); y->squares = gpr_plain_f64 (a.squares); return 0; }
#define GPR_DEF_MOMENTS(id, X, A, Y)     GPR_DEF_MOMENTS_WITH (id, X, 0)
#define GPR_DEF_MOMENTSOMIT(id, X, A, Y) GPR_DEF_MOMENTS_WITH (id, X, x != x)
#define GPR_DEF_CMOMENTS_WITH(id, X, SKIP) \
  GPR_INSTANCE_TYPES (id, X, cmoments, spread, 0) \
  GPR_FN cmoments id##_init (void) { cmoments a = {{0, 0, 0, 0}, {0, 0, 0, 0}}; return a; } \
  GPR_FN void id##_step (cmoments *a, X x, i64 i) \
  { int skip = SKIP; (void) i; gpr_moments_step (&a->re, x.re, skip); gpr_moments_step (&a->im, x.im, skip); } \
  GPR_FN void id##_merge (cmoments *a, cmoments b) { gpr_moments_merge (&a->re, b.re); gpr_moments_merge (&a->im, b.im); } \
  GPR_FN int id##_finish (cmoments a, f64 d, spread *y, i64 *k) \
  { \
    (void) d; (void) k; \
    if (a.re.n > 0) { gpr_moments_center (&a.re, a.re.sum / a.re.n); gpr_moments_center (&a.im, a.im.sum / a.im.n); } \
    y->n = a.re.n; \
    y->mean = gpr_plain_f64 (a.re.at); \
    y->squares = gpr_plain_f64 (a.re.squares + a.im.squares); \
    return 0; \
  }
#define GPR_DEF_CMOMENTS(id, X, A, Y)     GPR_DEF_CMOMENTS_WITH (id, X, 0)
#define GPR_DEF_CMOMENTSOMIT(id, X, A, Y) GPR_DEF_CMOMENTS_WITH (id, X, gpr_nan_##X (x))

/* All of gpu_stats at once (GPR_DEF_SUMMARY); NaN is counted and left out.  Here, the steps of
   count elements of indices at, at + distance, ..., where some number came before.  False
   where one of them or the sum is NaN: step by step, then.  */
GPR_FN int gpr_summary_run (summary *a, const f64 *v, int count, i64 at, i64 distance)
{
  const moments m = a->m;
  const f64 sum = a->sum;
  f64 least = a->least, most = a->most;
  int i, least_at = -1, most_at = -1;
  gpr_moments_run (&a->m, v, count);
  for (i = 0; i < count; i++)
    {
      int below = v[i] < least, above = v[i] > most;
      a->sum = a->sum + v[i];
      least = below ? v[i] : least;
      least_at = below ? i : least_at;
      most = above ? v[i] : most;
      most_at = above ? i : most_at;
    }
  if (a->sum != a->sum)
    {
      a->m = m;
      a->sum = sum;
      return 0;
    }
  a->least = least;
  a->least_at = least_at >= 0 ? at + least_at * distance : a->least_at;
  a->most = most;
  a->most_at = most_at >= 0 ? at + most_at * distance : a->most_at;
  return 1;
}
#define GPR_DEF_SUMMARY(id, X, A, Y) \
  GPR_INSTANCE_TYPES (id, X, summary, stats, 1) \
  GPR_FN summary id##_init (void) \
  { summary a = {{0, 0, 0, 0}, 0, HUGE_VAL, -HUGE_VAL, 0, INT64_MAX, INT64_MAX}; return a; } \
  GPR_FN void id##_step (summary *a, X x, i64 i) \
  { \
    f64 v = x; \
    int nan = v != v, below = (v < a->least) | (a->least_at == INT64_MAX), above = (v > a->most) | (a->most_at == INT64_MAX); \
    gpr_moments_step (&a->m, v, nan); \
    a->nans = nan ? a->nans + 1 : a->nans; \
    a->sum = nan ? a->sum : a->sum + v; \
    a->least = nan | ! below ? a->least : v; \
    a->least_at = nan | ! below ? a->least_at : i; \
    a->most = nan | ! above ? a->most : v; \
    a->most_at = nan | ! above ? a->most_at : i; \
  } \
  GPR_FN void id##_merge (summary *a, summary b) \
  { \
    gpr_moments_merge (&a->m, b.m); \
    a->sum = a->sum + b.sum; \
    a->nans = a->nans + b.nans; \
    int less = (b.least < a->least) | ((b.least == a->least) & (b.least_at < a->least_at)); \
    int more = (b.most > a->most) | ((b.most == a->most) & (b.most_at < a->most_at)); \
    a->least = less ? b.least : a->least; \
    a->least_at = less ? b.least_at : a->least_at; \
    a->most = more ? b.most : a->most; \
    a->most_at = more ? b.most_at : a->most_at; \
  } \
  GPR_FN int id##_finish (summary a, f64 d, stats *y, i64 *k) \
  { \
    (void) d; \
    if (a.m.n > 0) gpr_moments_center (&a.m, a.m.sum / a.m.n); \
    y->n = a.m.n; \
    y->sum = gpr_plain_f64 (a.sum); \
    y->mean = gpr_plain_f64 (a.sum / a.m.n); \
    y->squares = gpr_plain_f64 (a.m.squares); \
    y->least = a.m.n > 0 ? a.least : gpr_make_nan (); \
    y->least_at = a.m.n > 0 ? (f64) a.least_at + 1 : gpr_make_nan (); \
    y->most = a.m.n > 0 ? a.most : gpr_make_nan (); \
    y->most_at = a.m.n > 0 ? (f64) a.most_at + 1 : gpr_make_nan (); \
    y->nans = a.nans; \
    *k = a.most_at; \
    return 0; \
  }

/* ---- norms -----------------------------------------------------------
   Of the second: Blue's three sums (1978), of what would overflow when squared,
   would underflow, and of the rest, scaled by powers of two; the constants are
   LAPACK's for double.  Squares of singles fit in a double.  A NaN wins.  */

#define GPR_BLUE_SMALL 0x1p-511
#define GPR_BLUE_BIG 0x1p486
#define GPR_BLUE_UP 0x1p537
#define GPR_BLUE_DOWN 0x1p-538
GPR_FN void gpr_scaled_add (scaled_squares *a, f64 v)
{
  f64 x = fabs (v);
  int big = x > GPR_BLUE_BIG, small = x < GPR_BLUE_SMALL;
  /* No square of what another sum takes: on a CPU underflow is slow.  */
  f64 down = (big ? x : 0) * GPR_BLUE_DOWN, up = (small ? x : 0) * GPR_BLUE_UP, mid = big | small ? 0 : x;
  a->big = a->big + down * down;
  a->small = a->small + up * up;
  a->mid = a->mid + mid * mid;
}
/* The same of count elements, of which none is large, small or NaN.  */
GPR_FN void gpr_scaled_run (scaled_squares *a, const f64 *v, int count)
{
  int i;
  for (i = 0; i < count; i++)
    a->mid = a->mid + v[i] * v[i];
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
#define GPR_DEF_NORM2_WITH(id, X, STEP) \
  GPR_INSTANCE_TYPES (id, X, scaled_squares, f64, 0) \
  GPR_FN scaled_squares id##_init (void) { scaled_squares a = {0, 0, 0}; return a; } \
  GPR_FN void id##_step (scaled_squares *a, X x, i64 i) { (void) i; STEP; } \
  GPR_FN void id##_merge (scaled_squares *a, scaled_squares b) \
  { a->big = a->big + b.big; a->mid = a->mid + b.mid; a->small = a->small + b.small; } \
  GPR_FN int id##_finish (scaled_squares a, f64 d, f64 *y, i64 *k) { (void) d; (void) k; *y = gpr_plain_f64 (gpr_scaled_root (a)); return 0; }
#define GPR_DEF_NORM2(id, X, A, Y)  GPR_DEF_NORM2_WITH (id, X, gpr_scaled_add (a, x))
#define GPR_DEF_CNORM2(id, X, A, Y) GPR_DEF_NORM2_WITH (id, X, gpr_scaled_add (a, x.re); gpr_scaled_add (a, x.im))
#define GPR_DEF_WIDENORM2_WITH(id, X, TERM) \
  GPR_INSTANCE_TYPES (id, X, f64, f64, 0) \
  GPR_FN f64 id##_init (void) { return 0; } \
  GPR_FN void id##_step (f64 *a, X x, i64 i) { (void) i; *a = *a + (TERM); } \
  GPR_FN void id##_merge (f64 *a, f64 b) { *a = *a + b; } \
  GPR_FN int id##_finish (f64 a, f64 d, f64 *y, i64 *k) { (void) d; (void) k; *y = gpr_plain_f64 (sqrt (a)); return 0; }
#define GPR_DEF_WIDENORM2(id, X, A, Y)  GPR_DEF_WIDENORM2_WITH (id, X, (f64) x * (f64) x)
#define GPR_DEF_CWIDENORM2(id, X, A, Y) GPR_DEF_WIDENORM2_WITH (id, X, (f64) x.re * (f64) x.re + (f64) x.im * (f64) x.im)
#define GPR_ABS_f64(x) fabs (x)
#define GPR_ABS_f32(x) fabs ((f64) (x))
#define GPR_ABS_c128(x) gpr_abs_c128 (x)
#define GPR_ABS_c64(x) ((f64) gpr_abs_c64 (x))
#define GPR_DEF_NORM1(id, X, A, Y) \
  GPR_INSTANCE_TYPES (id, X, f64, f64, 0) \
  GPR_FN f64 id##_init (void) { return 0; } \
  GPR_FN void id##_step (f64 *a, X x, i64 i) { (void) i; *a = *a + GPR_ABS_##X (x); } \
  GPR_FN void id##_merge (f64 *a, f64 b) { *a = *a + b; } \
  GPR_FN int id##_finish (f64 a, f64 d, f64 *y, i64 *k) { (void) d; (void) k; *y = gpr_plain_f64 (a); return 0; }
#define GPR_DEF_NORMMAX(id, X, A, Y) \
  GPR_INSTANCE_TYPES (id, X, f64, f64, 0) \
  GPR_FN f64 id##_init (void) { return 0; } \
  GPR_FN void id##_merge (f64 *a, f64 b) { *a = b > *a || b != b ? b : *a; } \
  GPR_FN void id##_step (f64 *a, X x, i64 i) \
  { f64 v = gpr_nan_##X (x) ? gpr_make_nan () : GPR_ABS_##X (x); (void) i; *a = v > *a || v != v ? v : *a; } \
  GPR_FN int id##_finish (f64 a, f64 d, f64 *y, i64 *k) { (void) d; (void) k; *y = a; return 0; }

/* How many are not 0; a NaN is not.  Integers of one width are alike.  */
#define GPR_DEF_NONZERO(id, X, A, Y)  GPR_DEF_SUM_WITH (id, X, i64, f64, x != 0, 0)
#define GPR_DEF_CNONZERO(id, X, A, Y) GPR_DEF_SUM_WITH (id, X, i64, f64, (x.re != 0) | (x.im != 0), 0)

/* ---- what is in the input: fixes up results that are not finite ------- */

enum { GPR_SEEN_NAN = 1, GPR_SEEN_NA = 2, GPR_SEEN_POSINF = 4, GPR_SEEN_NEGINF = 8, GPR_SEEN_ZERO = 16,
       GPR_SEEN_IMAG = 8 /* shift for the imaginary part's bits */ };
GPR_FN u32 gpr_seen_f64 (f64 x)
{
  return (u32) (x != x ? GPR_SEEN_NAN | (gpr_na_f64 (x) ? GPR_SEEN_NA : 0)
                : x > DBL_MAX ? GPR_SEEN_POSINF : x < -DBL_MAX ? GPR_SEEN_NEGINF : x == 0 ? GPR_SEEN_ZERO : 0);
}
GPR_FN u32 gpr_seen_f32 (f32 x)
{
  return (u32) (x != x ? GPR_SEEN_NAN | (gpr_na_f32 (x) ? GPR_SEEN_NA : 0) : 0) | (x == x ? gpr_seen_f64 (x) : 0);
}
#define GPR_DEF_SEEN_WITH(id, X, TERM) \
  GPR_INSTANCE_TYPES (id, X, u32, u32, 0) \
  GPR_FN u32 id##_init (void) { return 0; } \
  GPR_FN void id##_step (u32 *a, X x, i64 i) { (void) i; *a |= TERM; } \
  GPR_FN void id##_merge (u32 *a, u32 b) { *a |= b; } \
  GPR_FN int id##_finish (u32 a, f64 d, u32 *y, i64 *k) { (void) d; (void) k; *y = a; return 0; }
#define GPR_DEF_SEEN(id, X, A, Y)  GPR_DEF_SEEN_WITH (id, X, gpr_seen_##X (x))
#define GPR_DEF_CSEEN(id, X, A, Y) \
  GPR_DEF_SEEN_WITH (id, X, gpr_seen_##A (x.re) | gpr_seen_##A (x.im) << GPR_SEEN_IMAG)
#define GPR_DEF_CSEENOMIT(id, X, A, Y) \
  GPR_DEF_SEEN_WITH (id, X, gpr_nan_##X (x) ? 0 : gpr_seen_##A (x.re) | gpr_seen_##A (x.im) << GPR_SEEN_IMAG)
#define GPR_DEF_CNANCOUNT(id, X, A, Y) GPR_DEF_SUM_WITH (id, X, i64, f64, gpr_nan_##X (x), 0)

/* Limits of the element types; those of floats are their infinities.  */
#define GPR_MIN_f64 (-HUGE_VAL)
#define GPR_MAX_f64 HUGE_VAL
#define GPR_MIN_f32 (-HUGE_VALF)
#define GPR_MAX_f32 HUGE_VALF
#define GPR_MIN_i8 INT8_MIN
#define GPR_MAX_i8 INT8_MAX
#define GPR_MIN_u8 0
#define GPR_MAX_u8 UINT8_MAX
#define GPR_MIN_i16 INT16_MIN
#define GPR_MAX_i16 INT16_MAX
#define GPR_MIN_u16 0
#define GPR_MAX_u16 UINT16_MAX
#define GPR_MIN_i32 INT32_MIN
#define GPR_MAX_i32 INT32_MAX
#define GPR_MIN_u32 0
#define GPR_MAX_u32 UINT32_MAX
#define GPR_MIN_i64 INT64_MIN
#define GPR_MAX_i64 INT64_MAX
#define GPR_MIN_u64 0
#define GPR_MAX_u64 UINT64_MAX
#define GPR_ZERO_f64 0
#define GPR_ZERO_f32 0
#define GPR_ZERO_i8 0
#define GPR_ZERO_u8 0
#define GPR_ZERO_i16 0
#define GPR_ZERO_u16 0
#define GPR_ZERO_i32 0
#define GPR_ZERO_u32 0
#define GPR_ZERO_i64 0
#define GPR_ZERO_u64 0
GPR_FN c128 gpr_zero_c128 (void) { c128 z = {0, 0}; return z; }
GPR_FN c64 gpr_zero_c64 (void) { c64 z = {0, 0}; return z; }
#define GPR_ZERO_c128 gpr_zero_c128 ()
#define GPR_ZERO_c64 gpr_zero_c64 ()
#define GPR_IS_FLOAT_f64 1
#define GPR_IS_FLOAT_f32 1
#define GPR_IS_FLOAT_i8 0
#define GPR_IS_FLOAT_u8 0
#define GPR_IS_FLOAT_i16 0
#define GPR_IS_FLOAT_u16 0
#define GPR_IS_FLOAT_i32 0
#define GPR_IS_FLOAT_u32 0
#define GPR_IS_FLOAT_i64 0
#define GPR_IS_FLOAT_u64 0

/* ---- the table, in groups small enough to compile one group a file ---- */

#define GPR_INSTANCES_SUM(F) \
  F (sum_f64, SUM, f64, f64, f64)        F (sum_f32, SUM, f32, f32, f32) \
  F (sum_f32_f64, SUM, f32, f64, f64) \
  F (sum_c128, CSUM, c128, c128, f64)    F (sum_c64, CSUM, c64, c64, f32) \
  F (sum_c64_c128, CSUM, c64, c128, f64) \
  F (sumomit_f64, SUMOMIT, f64, f64, f64) F (sumomit_f32, SUMOMIT, f32, f32, f32) \
  F (sumomit_f32_f64, SUMOMIT, f32, f64, f64) \
  F (sumomit_c128, CSUMOMIT, c128, c128, f64) F (sumomit_c64, CSUMOMIT, c64, c64, f32) \
  F (sumomit_c64_c128, CSUMOMIT, c64, c128, f64) \
  F (sum_i8, ISUM, i8, i64, f64)         F (sum_u8, ISUM, u8, u64, f64) \
  F (sum_i16, ISUM, i16, i64, f64)       F (sum_u16, ISUM, u16, u64, f64) \
  F (sum_i32, ISUM, i32, i64, f64)       F (sum_u32, ISUM, u32, u64, f64) \
  F (sumlong_i32, WIDESUM, i32, i128, f64) F (sumlong_u32, WIDESUM, u32, i128, f64) \
  F (sum_i64, WIDESUM, i64, i128, f64)   F (sum_u64, WIDESUM, u64, i128, f64) \
  F (extra_f64, DD, f64, dd, f64)        F (extra_c128, CDD, c128, cdd, c128) \
  F (extraomit_f64, DDOMIT, f64, dd, f64) F (extraomit_c128, CDDOMIT, c128, cdd, c128) \
  F (sumlog_f64, LOG, f64, f64, f64)     F (sumlog_f32, LOG, f32, f32, f32) \
  F (sumlog_c128, CLOG, c128, f64, c128) F (sumlog_c64, CLOG, c64, f32, c64) \
  F (sumrecip_f64, RECIP, f64, f64, f64) F (sumrecip_f32, RECIP, f32, f32, f32) \
  F (sumrecip_c128, CRECIP, c128, f64, c128) F (sumrecip_c64, CRECIP, c64, f32, c64)

#define GPR_INSTANCES_SUMSQ(F) \
  F (sumsq_f64, SQ, f64, f64, f64)       F (sumsq_f32, SQ, f32, f32, f32) \
  F (sumsq_c128, CSQ, c128, f64, f64)    F (sumsq_c64, CSQ, c64, f32, f32) \
  F (sumsqomit_f64, SQOMIT, f64, f64, f64) F (sumsqomit_f32, SQOMIT, f32, f32, f32) \
  F (sumsqomit_c128, CSQOMIT, c128, f64, f64) F (sumsqomit_c64, CSQOMIT, c64, f32, f32) \
  F (sumsq_i8, ISQ, i8, u64, f64)        F (sumsq_u8, ISQ, u8, u64, f64) \
  F (sumsq_i16, WIDESQ, i16, u128, f64)  F (sumsq_u16, WIDESQ, u16, u128, f64) \
  F (sumsq_i32, WIDESQ, i32, u128, f64)  F (sumsq_u32, WIDESQ, u32, u128, f64) \
  F (sumsq_i64, SQ192, i64, u192, f64)   F (sumsq_u64, SQ192, u64, u192, f64)

#define GPR_INSTANCES_PROD(F) \
  F (prod_f64, PROD, f64, f64, f64)      F (prod_f32, PROD, f32, f32, f32) \
  F (prod_f32_f64, PROD, f32, f64, f64) \
  F (prod_c128, CPROD, c128, c128, f64)  F (prod_c64, CPROD, c64, c64, f32) \
  F (prod_c64_c128, CPROD, c64, c128, f64) \
  F (prodomit_f64, PRODOMIT, f64, f64, f64) F (prodomit_f32, PRODOMIT, f32, f32, f32) \
  F (prodomit_f32_f64, PRODOMIT, f32, f64, f64) \
  F (prodomit_c128, CPRODOMIT, c128, c128, f64) F (prodomit_c64, CPRODOMIT, c64, c64, f32) \
  F (prodomit_c64_c128, CPRODOMIT, c64, c128, f64) \
  F (prod_i8, PROD, i8, f64, f64)        F (prod_u8, PROD, u8, f64, f64) \
  F (prod_i16, PROD, i16, f64, f64)      F (prod_u16, PROD, u16, f64, f64) \
  F (prod_i32, PROD, i32, f64, f64)      F (prod_u32, PROD, u32, f64, f64) \
  F (prod_i64, PROD, i64, f64, f64)      F (prod_u64, PROD, u64, f64, f64)

#define GPR_INSTANCES_NATIVE(F) \
  F (satsum_i8, SATSUM, i8, sat64, i8)   F (satsum_u8, SATSUM, u8, sat64, u8) \
  F (satsum_i16, SATSUM, i16, sat64, i16) F (satsum_u16, SATSUM, u16, sat64, u16) \
  F (satsum_i32, SATSUM, i32, sat64, i32) F (satsum_u32, SATSUM, u32, sat64, u32) \
  F (satsum_i64, SATSUM128, i64, sat128, i64) F (satsum_u64, SATSUM128, u64, sat128, u64) \
  F (satprod_i8, SATPROD, i8, sat64, i8) F (satprod_u8, SATPROD, u8, sat64, u8) \
  F (satprod_i16, SATPROD, i16, sat64, i16) F (satprod_u16, SATPROD, u16, sat64, u16) \
  F (satprod_i32, SATPROD, i32, sat64, i32) F (satprod_u32, SATPROD, u32, sat64, u32) \
  F (satprod_i64, SATPROD128, i64, sat128, i64) F (satprod_u64, SATPROD128, u64, sat128, u64)

#define GPR_INSTANCES_REAL_(F, op, FAMILY) \
  F (op##_f64, FAMILY, f64, f64, f64) F (op##_f32, FAMILY, f32, f32, f32) \
  F (op##_i8, FAMILY, i8, i8, i8)     F (op##_u8, FAMILY, u8, u8, u8) \
  F (op##_i16, FAMILY, i16, i16, i16) F (op##_u16, FAMILY, u16, u16, u16) \
  F (op##_i32, FAMILY, i32, i32, i32) F (op##_u32, FAMILY, u32, u32, u32) \
  F (op##_i64, FAMILY, i64, i64, i64) F (op##_u64, FAMILY, u64, u64, u64)

#define GPR_INSTANCES_EXTREME(F) \
  GPR_INSTANCES_REAL_ (F, max, MAX) \
  GPR_INSTANCES_REAL_ (F, min, MIN)

#define GPR_INSTANCES_ARG(F) \
  GPR_INSTANCES_REAL_ (F, argmax, ARGMAX) \
  F (argmax_c128, CARGMAX, c128, c128, c128) F (argmax_c64, CARGMAX, c64, c64, c64) \
  GPR_INSTANCES_REAL_ (F, argmin, ARGMIN) \
  F (argmin_c128, CARGMIN, c128, c128, c128) F (argmin_c64, CARGMIN, c64, c64, c64) \
  F (nanindex_f64, NANINDEX, f64, f64, f64)     F (nanindex_f32, NANINDEX, f32, f32, f32) \
  F (nanindex_c128, NANINDEX, c128, c128, c128) F (nanindex_c64, NANINDEX, c64, c64, c64)

#define GPR_INSTANCES_LOGICAL(F) \
  GPR_INSTANCES_REAL_ (F, any, ANY) F (any_c128, CANY, c128, u8, u8) F (any_c64, CANY, c64, u8, u8) \
  GPR_INSTANCES_REAL_ (F, all, ALL) F (all_c128, CALL, c128, u8, u8) F (all_c64, CALL, c64, u8, u8) \
  F (nancount_f64, NANCOUNT, f64, i64, f64)    F (nancount_f32, NANCOUNT, f32, i64, f64) \
  F (nancount_c128, CNANCOUNT, c128, i64, f64) F (nancount_c64, CNANCOUNT, c64, i64, f64) \
  F (seen_f64, SEEN, f64, f64, u32)            F (seen_f32, SEEN, f32, f32, u32) \
  F (seen_c128, CSEEN, c128, f64, u32)         F (seen_c64, CSEEN, c64, f32, u32) \
  F (seenomit_c128, CSEENOMIT, c128, f64, u32) F (seenomit_c64, CSEENOMIT, c64, f32, u32)

#define GPR_INSTANCES_MOMENTS(F) \
  F (moments_f64, MOMENTS, f64, moments, spread) F (moments_f32, MOMENTS, f32, moments, spread) \
  F (moments_c128, CMOMENTS, c128, cmoments, spread) F (moments_c64, CMOMENTS, c64, cmoments, spread) \
  F (momentsomit_f64, MOMENTSOMIT, f64, moments, spread) F (momentsomit_f32, MOMENTSOMIT, f32, moments, spread) \
  F (momentsomit_c128, CMOMENTSOMIT, c128, cmoments, spread) F (momentsomit_c64, CMOMENTSOMIT, c64, cmoments, spread) \
  F (stats_f64, SUMMARY, f64, summary, stats)    F (stats_f32, SUMMARY, f32, summary, stats)

#define GPR_INSTANCES_NORM(F) \
  F (norm1_f64, NORM1, f64, f64, f64)            F (norm1_f32, NORM1, f32, f64, f64) \
  F (norm1_c128, NORM1, c128, f64, f64)          F (norm1_c64, NORM1, c64, f64, f64) \
  F (norm2_f64, NORM2, f64, scaled_squares, f64) F (norm2_f32, WIDENORM2, f32, f64, f64) \
  F (norm2_c128, CNORM2, c128, scaled_squares, f64) F (norm2_c64, CWIDENORM2, c64, f64, f64) \
  F (normmax_f64, NORMMAX, f64, f64, f64)        F (normmax_f32, NORMMAX, f32, f64, f64) \
  F (normmax_c128, NORMMAX, c128, f64, f64)      F (normmax_c64, NORMMAX, c64, f64, f64) \
  F (nonzero_f64, NONZERO, f64, i64, f64)        F (nonzero_f32, NONZERO, f32, i64, f64) \
  F (nonzero_u8, NONZERO, u8, i64, f64)          F (nonzero_u16, NONZERO, u16, i64, f64) \
  F (nonzero_u32, NONZERO, u32, i64, f64)        F (nonzero_u64, NONZERO, u64, i64, f64) \
  F (nonzero_c128, CNONZERO, c128, i64, f64)     F (nonzero_c64, CNONZERO, c64, i64, f64)

/* What only the ladder (kernels/ladder) runs: 32-bit integers as its sources add
   and multiply them.  */
#define GPR_INSTANCES_LADDER(F) \
  F (wrapsum_i32, WRAPSUM, i32, i32, i32) F (wrapprod_i32, WRAPPROD, i32, i32, i32)

#define GPR_INSTANCES(F) \
  GPR_INSTANCES_SUM (F) GPR_INSTANCES_SUMSQ (F) GPR_INSTANCES_PROD (F) GPR_INSTANCES_NATIVE (F) \
  GPR_INSTANCES_EXTREME (F) GPR_INSTANCES_ARG (F) GPR_INSTANCES_LOGICAL (F) GPR_INSTANCES_MOMENTS (F) GPR_INSTANCES_NORM (F)

#define GPR_INSTANCE_ID(id, FAMILY, X, A, Y) GPR_##id,
enum gpr_instance { GPR_INSTANCE_NONE = -1, GPR_INSTANCES (GPR_INSTANCE_ID) GPR_INSTANCE_COUNT };
#undef GPR_INSTANCE_ID

/* Defines the reductions of one group (GPR_INSTANCES_SUM, …) or of all.  */
#define GPR_DEFINE_INSTANCE(id, FAMILY, X, A, Y) GPR_DEF_##FAMILY (id, X, A, Y)

#endif
