/* Medians and modes.  */

#ifndef GPR_ORDER_H
#define GPR_ORDER_H

#include "gpr.h"
#include "../../kernels/ops/order.h"

typedef enum { GPR_ORDER_MEDIAN, GPR_ORDER_MODE } gpr_order_op;

/* x[c + inner*(r + length*o)], ordered over r, gives value[c + inner*o].  length is at least 1.

   A median is NaN if an element is, unless omit_nan leaves these out.  Of an even number of
   elements it is the mean of the two in the middle, or the larger one where
   logical is set.  Halves are rounded away from zero; between two negative integers up where
   round_up is set.  -0 comes before 0.

   A mode is the value of the first longest run of the sorted column, in which -0 and 0 are
   equal, equal elements stay in the column's order and NaN comes last; infinities and NaN
   are equal to nothing.  */
typedef struct gpr_ordering {
  gpr_order_op op;
  enum gpr_elem elem;   /* real ones only */
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  bool omit_nan, logical, round_up;
  /* Host memory, all of them.  */
  void *value;          /* inner*outer of elem */
  double *frequency;    /* of modes: how often */
  void *sorted;         /* of modes, or NULL: the sorted columns, one after the other */
} gpr_ordering;

#endif
