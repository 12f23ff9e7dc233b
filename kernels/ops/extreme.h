/* The greatest and the least element, alone or with the index of the first that
   is equal to it; and the first NaN.  NaN gives way to every number; -0 equals 0.  */

#ifndef GPR_EXTREME_H
#define GPR_EXTREME_H

#include "traits.h"

/* ---- the value alone ----------------------------------------------------------

   Fast.  The result is final unless it is a zero, which must have the sign of the first
   zero, or the identity, which may mean that all elements are NaN: then the instance
   with the index decides.  */

#define GPR_EXTREME(id, X, WORST, IS_BETTER) \
  GPR_TYPES (id, X, X, X) \
  GPR_INIT (id, WORST) \
  GPR_STEP (id, *a = x IS_BETTER *a ? x : *a) \
  GPR_MERGE (id, *a = b IS_BETTER *a ? b : *a) \
  GPR_FINISH (id, *y = a; return (a == 0 || a == WORST) && GPR_IS_FLOAT (X))
#define GPR_TRAITS_MIN (GPR_SELECTS | GPR_RAW_COMPARE | GPR_EXACT | GPR_FIXUP_BY_INDEX | GPR_COMMON)
#define GPR_DEF_MIN(id, X, A, Y) GPR_EXTREME (id, X, GPR_MAX_##X, <)
#define GPR_TRAITS_MAX (GPR_TRAITS_MIN | GPR_PREFERS_GREATER)
#define GPR_DEF_MAX(id, X, A, Y) GPR_EXTREME (id, X, GPR_MIN_##X, >)

/* ---- with the index -------------------------------------------------------------- */

/* The accumulator is an element and its index, INT64_MAX of none.  */
#define GPR_WITH_INDEX(id, X) \
  typedef struct { i64 i; X v; } id##_pair; \
  GPR_TYPES (id, X, id##_pair, X) \
  GPR_FN id##_pair id##_init (void) { const X zero = {0}; id##_pair a; a.i = INT64_MAX; a.v = zero; return a; } \
  GPR_FINISH (id, *y = a.v; *k = a.i; return 0)

/* id_step sees ascending indices, so a later element that is equal must not replace an earlier
   one; id_merge takes accumulators in any order.  */
#define GPR_FIRST_BEST(id, X, IS_NAN, IS_BETTER) \
  GPR_WITH_INDEX (id, X) \
  GPR_STEP (id, \
    if (a->i == INT64_MAX || (IS_NAN (a->v) && ! IS_NAN (x)) || IS_BETTER (x, a->v)) { a->i = i; a->v = x; }) \
  GPR_MERGE (id, \
    int na, nb; \
    if (b.i == INT64_MAX) return; \
    if (a->i == INT64_MAX) { *a = b; return; } \
    na = IS_NAN (a->v); nb = IS_NAN (b.v); \
    if (na != nb) { if (na) *a = b; } \
    else if (! na && IS_BETTER (b.v, a->v)) *a = b; \
    else if ((na || ! IS_BETTER (a->v, b.v)) && b.i < a->i) *a = b)

#define GPR_IS_NAN(x) ((x) != (x))
#define GPR_GT(x, y) ((x) > (y))
#define GPR_LT(x, y) ((x) < (y))
#define GPR_TRAITS_ARGMIN (GPR_SELECTS | GPR_RAW_COMPARE | GPR_HAS_INDEX | GPR_INDEX_FIRST | GPR_EXACT)
#define GPR_DEF_ARGMIN(id, X, A, Y) GPR_FIRST_BEST (id, X, GPR_IS_NAN, GPR_LT)
#define GPR_TRAITS_ARGMAX (GPR_TRAITS_ARGMIN | GPR_PREFERS_GREATER)
#define GPR_DEF_ARGMAX(id, X, A, Y) GPR_FIRST_BEST (id, X, GPR_IS_NAN, GPR_GT)

/* Complex numbers by abs, then by arg.  */
#define GPR_GT_c128(x, y) (! gpr_nan_c128 (x) && gpr_gt_c128 (x, y))
#define GPR_LT_c128(x, y) (! gpr_nan_c128 (x) && gpr_gt_c128 (y, x))
#define GPR_GT_c64(x, y) (! gpr_nan_c64 (x) && gpr_gt_c64 (x, y))
#define GPR_LT_c64(x, y) (! gpr_nan_c64 (x) && gpr_gt_c64 (y, x))
#define GPR_TRAITS_CARGMAX (GPR_SELECTS | GPR_HAS_INDEX | GPR_INDEX_FIRST | GPR_HEAVY)
#define GPR_DEF_CARGMAX(id, X, A, Y) GPR_FIRST_BEST (id, X, gpr_nan_##X, GPR_GT_##X)
#define GPR_TRAITS_CARGMIN GPR_TRAITS_CARGMAX
#define GPR_DEF_CARGMIN(id, X, A, Y) GPR_FIRST_BEST (id, X, gpr_nan_##X, GPR_LT_##X)

/* The first NaN, for "includenan"; the index is INT64_MAX where there is none.  */
#define GPR_TRAITS_NANINDEX (GPR_SELECTS | GPR_HAS_INDEX | GPR_INDEX_FIRST | GPR_EXACT)
#define GPR_DEF_NANINDEX(id, X, A, Y) \
  GPR_WITH_INDEX (id, X) \
  GPR_STEP (id, if (gpr_nan_##X (x) && i < a->i) { a->i = i; a->v = x; }) \
  GPR_MERGE (id, if (b.i < a->i) *a = b)

#endif
