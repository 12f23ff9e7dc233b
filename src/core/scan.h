/* Cumulative sums, products and extremes.  */

#ifndef GPR_SCAN_H
#define GPR_SCAN_H

#include "gpr.h"
#include "../../kernels/ops/scan.h"

/* y[c + inner*(r + length*o)] is the operator over rows 0 … r of x.  Sums and products are of
   floating-point elements only.  */
typedef struct gpr_scanning {
  gpr_scan_op op;
  enum gpr_elem elem;
  int64_t inner, length, outer;
  const void *x;
  bool x_resident;
  const struct gpr_mapping *terms;      /* its elements, of elem's class and without z, are x, which is NULL; or NULL */
  bool fused;                   /* out, of terms: done; else nothing is, and y holds anything */
  void *y;
  double *index;                /* rows of the extremes, from 1; or NULL */
  bool out_resident;            /* of y and index */
} gpr_scanning;

#endif
