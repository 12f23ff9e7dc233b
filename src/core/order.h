/* Modes.  */

#ifndef GPR_ORDER_H
#define GPR_ORDER_H

#include "gpr.h"
#include "../../kernels/ops/order.h"

/* x[c + inner*(r + length*o)], ordered over r, gives value[c + inner*o].  length is at least 1.

   A mode is the value of the first longest run of the sorted column, in which -0 and 0 are
   equal, equal elements stay in the column's order and NaN comes last; infinities and NaN
   are equal to nothing.  */
typedef struct gpr_ordering {
  enum gpr_elem elem;   /* real ones only */
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  void *value;          /* inner*outer of elem */
  double *frequency;    /* how often; may be NULL */
  bool out_resident;    /* both; not with sorted */
  void *sorted;         /* or NULL: the sorted columns, one after the other, in host memory; with frequency */
} gpr_ordering;

#endif
