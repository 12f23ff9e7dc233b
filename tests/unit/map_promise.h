/* How far an elementwise operation may be from the exact value.  */

#ifndef GPR_MAP_PROMISE_H
#define GPR_MAP_PROMISE_H

#include "../../kernels/ops/map.h"

/* F (name): those that IEEE's rules do not decide and that have the C library's names.  */
#define MAP_LIBRARY_OF_ONE(F) \
  F (exp) F (expm1) F (log) F (log2) F (log10) F (log1p) F (sin) F (cos) F (tan) F (asin) F (acos) F (atan) F (sinh) F (cosh) F (tanh) \
  F (asinh) F (acosh) F (atanh) F (erf) F (erfc) F (cbrt) F (lgamma)
#define MAP_LIBRARY_OF_TWO(F) F (atan2) F (hypot)

/* In units in the last place; 0: the same bits.  Of lgamma 4 eps will do too.  */
static inline int
map_promise (int op)
{
  switch (op)
    {
#define FOUR(name) case GPR_MAP_##name:
    MAP_LIBRARY_OF_ONE (FOUR) MAP_LIBRARY_OF_TWO (FOUR) case GPR_MAP_power:
      return 4;
#undef FOUR
    case GPR_MAP_gamma:
      return 10;
    default:
      return 0;
    }
}

#endif
