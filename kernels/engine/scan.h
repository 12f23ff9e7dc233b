/* Cumulative sums, products and extremes (ops/scan.h) on the GPU: arguments of the kernel.
   A thread goes along one block of one column.  */

#ifndef GPR_ENGINE_SCAN_H
#define GPR_ENGINE_SCAN_H

#include <stdbool.h>

#include "../ops/scan.h"

typedef struct {
  const void *x;
  int64_t inner, length, outer;              /* x[c + inner*(r + length*o)] */
  int64_t rows, blocks;         /* of a block; of a column */
  void *totals;                 /* [o][block][c]: written where y is NULL; else what goes before */
  void *y;
  double *index;                /* rows from 1, or NULL */
} gpr_scan_args;

#ifdef __cplusplus
extern "C"
#endif
const void *gpr_engine_scan (gpr_scan_op op, enum gpr_elem elem);       /* NULL: there is none */

#endif
