/* Medians and modes.  */

#ifndef GPR_ORDER_H
#define GPR_ORDER_H

#include "gpr.h"
#include "../../kernels/engine/order.h"

typedef enum { GPR_ORDER_MEDIAN, GPR_ORDER_MODE } gpr_order_op;

/* x[c + l*(r + n*o)], ordered over r, gives value[c + l*o].  n at least 1.

   A median with a NaN is NaN, unless omit_nan leaves them out; of an even number of
   elements it is the mean of the two in the middle, and the larger where
   logical is set.  -0 is before 0.

   A mode is the first of the longest runs of the sorted column, where -0 is 0,
   elements that are equal stay in the column's order and NaN comes last; an infinity or NaN is
   equal to nothing.  */
typedef struct gpr_ordering {
  gpr_order_op op;
  enum gpr_elem elem;   /* real ones only */
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  bool omit_nan, logical;
  /* Host memory, all of them.  */
  void *value;          /* l*u of elem */
  double *frequency;    /* of modes: how often */
  void *sorted;         /* of modes, or NULL: the sorted columns, one after the other */
} gpr_ordering;

/* Leaves of each sorted column its modes, the values that occur frequency times,
   in the same place; counts[j] is their number.  */
void gpr_order_modes (const gpr_ordering *o, int64_t *counts);

#endif
