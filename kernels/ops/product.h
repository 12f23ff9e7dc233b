/* Products of floating-point numbers, taken by the tree.  The tree may overflow or
   underflow where the built-in's order does not, so a result that may be wrong is computed
   again in that order.  What the tree finds says how much of it: Inf or -Inf, that the product left the
   range, with the sign of all its factors, none of which is 0 or infinite; NaN, anything.  */

#ifndef GPR_PRODUCT_H
#define GPR_PRODUCT_H

#include "traits.h"

/* a * b, or infinite where the product is below small though neither factor is 0: bits
   were lost, which a later factor may hide.  Conditional moves only, so that loops of it vectorise.  */
#define GPR_DEF_MARKED_PRODUCT(T, FABS, COPYSIGN) \
GPR_FN T gpr_marked_product_##T (T a, T b, T small) \
{ \
  T r = a * b, x = FABS (a), y = FABS (b), least = x < y ? x : y; \
  T lost = FABS (r) < small ? least : 0; \
  return lost > 0 ? COPYSIGN ((T) HUGE_VAL, r) : r; \
} \
GPR_FN T gpr_marked_factor_##T (T x) { return FABS (x) == (T) HUGE_VAL ? (T) gpr_make_nan () : x; }
GPR_DEF_MARKED_PRODUCT (f64, fabs, copysign)
GPR_DEF_MARKED_PRODUCT (f32, fabsf, copysignf)

/* In the built-in's order (i below 0) nothing is marked.  */
#define GPR_REAL_PRODUCT(id, X, A, Y, FACTOR) \
  GPR_TYPES (id, X, A, Y) \
  GPR_INIT (id, 1) \
  GPR_STEP (id, *a = i >= 0 ? gpr_marked_product_##A (*a, gpr_marked_factor_##A (FACTOR), GPR_SMALL_##A) : *a * FACTOR) \
  GPR_MERGE (id, *a = gpr_marked_product_##A (*a, b, GPR_SMALL_##A)) \
  GPR_FINISH (id, *y = a; return ! gpr_finite_f64 ((f64) a))
#define GPR_TRAITS_PROD GPR_FIXUP_PRODUCT
#define GPR_DEF_PROD(id, X, A, Y) GPR_REAL_PRODUCT (id, X, A, Y, ((A) x))
#define GPR_TRAITS_FPROD (GPR_TRAITS_PROD | GPR_COMMON)
#define GPR_DEF_FPROD(id, X, A, Y) GPR_DEF_PROD (id, X, A, Y)
/* Of integers: but for 0 no factor is below 1, so no bits are lost, and none is infinite.  */
#define GPR_TRAITS_IPROD (GPR_TRAITS_PROD | GPR_COMMON)
#define GPR_DEF_IPROD(id, X, A, Y) \
  GPR_TYPES (id, X, A, Y) \
  GPR_INIT (id, 1) \
  GPR_STEP (id, *a *= (A) x) \
  GPR_MERGE (id, *a *= b) \
  GPR_FINISH (id, *y = a; return ! gpr_finite_f64 (a))
#define GPR_TRAITS_PRODOMIT (GPR_FIXUP_PRODUCT | GPR_OMITS_NAN)
#define GPR_DEF_PRODOMIT(id, X, A, Y) GPR_REAL_PRODUCT (id, X, A, Y, (x == x ? (A) x : (A) 1))

/* R: real numbers of the accumulator's precision.  */
#define GPR_COMPLEX_PRODUCT(id, X, A, R, KEEP) \
  GPR_TYPES (id, X, A, A) \
  GPR_INIT (id, 1, 0) \
  GPR_STEP (id, A f; f.re = x.re; f.im = x.im; if (KEEP) *a = gpr_mul_##A (*a, f)) \
  GPR_MERGE (id, *a = gpr_mul_##A (*a, b)) \
  GPR_FINISH (id, \
    *y = a; \
    return ! (gpr_finite_f64 (a.re) && gpr_finite_f64 (a.im)) || fabs (a.re) + fabs (a.im) < GPR_SMALL_##R)
#define GPR_TRAITS_CPROD GPR_FIXUP_PRODUCT
#define GPR_DEF_CPROD(id, X, A, R) GPR_COMPLEX_PRODUCT (id, X, A, R, 1)
#define GPR_TRAITS_CPRODOMIT (GPR_FIXUP_PRODUCT | GPR_OMITS_NAN)
#define GPR_DEF_CPRODOMIT(id, X, A, R) GPR_COMPLEX_PRODUCT (id, X, A, R, ! gpr_nan_##X (x))

#endif
