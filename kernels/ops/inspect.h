/* Which special values are in the input: src/core/fixup.c asks when a result is not
   finite.  */

#ifndef GPR_INSPECT_H
#define GPR_INSPECT_H

#include "traits.h"

enum { GPR_SEEN_NAN = 1, GPR_SEEN_NA = 2, GPR_SEEN_POSINF = 4, GPR_SEEN_NEGINF = 8, GPR_SEEN_ZERO = 16,
       GPR_SEEN_IMAG = 8 /* so many bits higher: of imaginary parts */ };

GPR_FN u32 gpr_seen_f64 (f64 x)
{
  return (u32) (x != x ? GPR_SEEN_NAN | (gpr_na_f64 (x) ? GPR_SEEN_NA : 0)
                : x > DBL_MAX ? GPR_SEEN_POSINF : x < -DBL_MAX ? GPR_SEEN_NEGINF : x == 0 ? GPR_SEEN_ZERO : 0);
}
GPR_FN u32 gpr_seen_f32 (f32 x)
{
  return (u32) (x != x ? GPR_SEEN_NAN | (gpr_na_f32 (x) ? GPR_SEEN_NA : 0) : 0) | (x == x ? gpr_seen_f64 (x) : 0);
}

#define GPR_SEEN_IN(id, X, BITS) \
  GPR_TYPES (id, X, u32, u32) \
  GPR_INIT (id, 0) \
  GPR_STEP (id, *a |= BITS) \
  GPR_MERGE (id, *a |= b) \
  GPR_FINISH (id, *y = a; return 0)

#define GPR_TRAITS_SEEN GPR_EXACT
#define GPR_DEF_SEEN(id, X, A, Y) GPR_SEEN_IN (id, X, gpr_seen_##X (x))

/* A: real numbers of that precision.  */
#define GPR_SEEN_PARTS(x, A) (gpr_seen_##A (x.re) | gpr_seen_##A (x.im) << GPR_SEEN_IMAG)
#define GPR_TRAITS_CSEEN GPR_EXACT
#define GPR_DEF_CSEEN(id, X, A, Y) GPR_SEEN_IN (id, X, GPR_SEEN_PARTS (x, A))
#define GPR_TRAITS_CSEENOMIT GPR_EXACT
#define GPR_DEF_CSEENOMIT(id, X, A, Y) GPR_SEEN_IN (id, X, gpr_nan_##X (x) ? 0 : GPR_SEEN_PARTS (x, A))

#endif
