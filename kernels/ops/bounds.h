/* The least and the greatest element at once, for ranges and bounds.  NaN is skipped.  */

#ifndef GPR_BOUNDS_H
#define GPR_BOUNDS_H

#include "pair.h"
#include "traits.h"

/* The result is the accumulator, or where d is not 0 the difference and the greatest.  Least above
   greatest says that all elements are NaN; which NaN, and which sign bounds that are zero have, the
   instances with an index decide.  */
#define GPR_TRAITS_BOUNDS (GPR_EXACT | GPR_BOTH_EXTREMES | GPR_FIXUP_BY_INDEX)
/* Of floating-point elements, which are used most.  */
#define GPR_TRAITS_FBOUNDS (GPR_TRAITS_BOUNDS | GPR_COMMON)
#define GPR_DEF_FBOUNDS(id, X, A, Y) GPR_DEF_BOUNDS (id, X, A, Y)
#define GPR_DEF_BOUNDS(id, X, A, Y) \
  typedef struct { X least, most; } id##_both; \
  GPR_TYPES (id, X, id##_both, id##_both) \
  GPR_INIT (id, GPR_MAX_##X, GPR_MIN_##X) \
  GPR_STEP (id, a->least = x < a->least ? x : a->least; a->most = x > a->most ? x : a->most) \
  GPR_MERGE (id, a->least = b.least < a->least ? b.least : a->least; a->most = b.most > a->most ? b.most : a->most) \
  GPR_FINISH (id, \
    y->least = d != 0 ? gpr_minus_##X (a.most, a.least) : a.least; \
    y->most = a.most; \
    return GPR_IS_FLOAT (X) && (a.least > a.most || (d == 0 && (a.least == 0 || a.most == 0))))

#endif
