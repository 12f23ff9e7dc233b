/* Medians and quantiles: elements that a sorted column would have at given places.  */

#ifndef GPR_SELECT_H
#define GPR_SELECT_H

#include "gpr.h"
#include "../../kernels/ops/select.h"

/* Of the column x[c + inner*(r + length*o)], over r, result k is value[c + inner*(k + results*o)].
   length is at least 1.  -0 comes before 0.

   p NULL: medians, one result, of the class of x.  One is NaN if an element is, unless omit_nan leaves
   these out.  Of logical elements it is the larger of the two in the middle; halves of integers are
   rounded away from zero, between two negative ones up where round_up is set.

   Else quantiles p[0 … results-1], by one of nine methods, single where x is, else double.  NaN is left out;
   p below 0 gives -Inf, above 1 Inf, NaN gives NaN, and so does a column of NaN alone.

   With a center, one of each column (center[c + inner*o], of the class of x, floating), it is
   not x but |x - center| that is ordered.  */
typedef struct gpr_selection {
  enum gpr_elem elem;           /* real ones only */
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  const void *center;           /* or NULL; resident where x is */
  const double *p;              /* host memory */
  int results, method;
  bool omit_nan, logical, round_up;
  void *value;
  bool out_resident;
} gpr_selection;

/* ---- the k greatest or least ---------------------------------------------------------- */

/* Element k of the column sorted, down where `greatest' is set, is value[c + inner*(k + count*o)], for k
   below count <= length, and its row, from 1, index[…].  Of equal ones, and -0 and 0 are, the first row comes
   first; NaN comes last, or first where nan_first is set (with `greatest').  */
typedef struct gpr_ranking {
  enum gpr_elem elem;
  bool greatest, nan_first;
  int64_t inner, length, outer, count;
  const void *x;
  bool x_resident;
  void *value;
  double *index;                /* or NULL */
  bool out_resident;            /* of value and index */
} gpr_ranking;

#endif
