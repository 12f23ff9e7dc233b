/* "native" sums and products of integers: every step saturates, in the elements' order.

   Elements are taken as maps of the running value v to clamp (v + m) or clamp (v * m),
   where the clamp is to [lo, hi].  Two such maps, one after the other, are such a map again;
   so they can be grouped as one likes, and the result is exact as long as their order is kept.
   m is held within lim, beyond which every v saturates anyway.  */

#ifndef GPR_SATURATE_H
#define GPR_SATURATE_H

#include "../common/wide.h"
#include "traits.h"

#define GPR_SATURATING(id, X, MAP, CLAMP, LIM, START, OP) \
  GPR_TYPES (id, X, MAP, X) \
  GPR_INIT (id, START, GPR_MIN_##X, GPR_MAX_##X) \
  GPR_MERGE (id, \
    MAP r; \
    r.m = OP (a->m, b.m, LIM); \
    r.lo = CLAMP (OP (a->lo, b.m, LIM), b.lo, b.hi); \
    r.hi = CLAMP (OP (a->hi, b.m, LIM), b.lo, b.hi); \
    if (r.lo > r.hi) { MAP t = r; r.lo = t.hi; r.hi = t.lo; }   /* of a negative factor */ \
    *a = r) \
  GPR_STEP (id, MAP b = {x, GPR_MIN_##X, GPR_MAX_##X}; id##_merge (a, b)) \
  GPR_FINISH (id, *y = (X) CLAMP (OP (START, a.m, LIM), a.lo, a.hi); return 0)

#define GPR_LIM64 ((i64) 1 << 34)
#define GPR_LIM128 ((i128) 1 << 66)
#define GPR_ADD_HELD64(x, y, lim) gpr_clamp64 ((x) + (y), -(lim), lim)
#define GPR_ADD_HELD128(x, y, lim) gpr_clamp128 ((x) + (y), -(lim), lim)
#define GPR_MUL_HELD64(x, y, lim) ((i64) gpr_mul_held (x, y, lim))
#define GPR_MUL_HELD128(x, y, lim) gpr_mul_held (x, y, lim)

/* Elements of up to 32 bits, and of 64.  */
#define GPR_TRAITS_SATSUM (GPR_ORDERED | GPR_HEAVY)
#define GPR_DEF_SATSUM(id, X, A, Y) GPR_SATURATING (id, X, A, gpr_clamp64, GPR_LIM64, 0, GPR_ADD_HELD64)
#define GPR_TRAITS_SATPROD (GPR_ORDERED | GPR_HEAVY)
#define GPR_DEF_SATPROD(id, X, A, Y) GPR_SATURATING (id, X, A, gpr_clamp64, GPR_LIM64, 1, GPR_MUL_HELD64)
#define GPR_TRAITS_SATSUM128 (GPR_ORDERED | GPR_HEAVY)
#define GPR_DEF_SATSUM128(id, X, A, Y) GPR_SATURATING (id, X, A, gpr_clamp128, GPR_LIM128, 0, GPR_ADD_HELD128)
#define GPR_TRAITS_SATPROD128 (GPR_ORDERED | GPR_HEAVY)
#define GPR_DEF_SATPROD128(id, X, A, Y) GPR_SATURATING (id, X, A, gpr_clamp128, GPR_LIM128, 1, GPR_MUL_HELD128)

#endif
