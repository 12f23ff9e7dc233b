/* any and all, of numbers.  NaN is false for any and true for all, as in Octave 7.3.  */

#ifndef GPR_LOGICAL_H
#define GPR_LOGICAL_H

#include "traits.h"

#define GPR_LOGICAL(id, X, START, OP, TERM) \
  GPR_TYPES (id, X, u8, u8) \
  GPR_INIT (id, START) \
  GPR_STEP (id, *a = (u8) (*a OP (u8) (TERM))) \
  GPR_MERGE (id, *a = (u8) (*a OP b)) \
  GPR_FINISH (id, *y = a; return 0)

#define GPR_TRAITS_ANY (GPR_DECIDED_BY_1 | GPR_EXACT)
#define GPR_DEF_ANY(id, X, A, Y) GPR_LOGICAL (id, X, 0, |, (x != 0) & (x == x))
#define GPR_TRAITS_CANY GPR_TRAITS_ANY
#define GPR_DEF_CANY(id, X, A, Y) GPR_LOGICAL (id, X, 0, |, ((x.re != 0) | (x.im != 0)) & ! gpr_nan_##X (x))

#define GPR_TRAITS_ALL (GPR_DECIDED_BY_0 | GPR_EXACT)
#define GPR_DEF_ALL(id, X, A, Y) GPR_LOGICAL (id, X, 1, &, x != 0)
#define GPR_TRAITS_CALL GPR_TRAITS_ALL
#define GPR_DEF_CALL(id, X, A, Y) GPR_LOGICAL (id, X, 1, &, (x.re != 0) | (x.im != 0))

#endif
