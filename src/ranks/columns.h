/* Short columns over the divided dimension: they are dealt out, so that each rank has some whole ones, about as many elements
   as before.  */

#ifndef GPR_RANKS_COLUMNS_H
#define GPR_RANKS_COLUMNS_H

#include "ranks.h"

typedef struct {
  gpr_world world;
  int64_t inner, length, outer; /* of the problem, as gpr_reduction has them */
  int64_t first, count;         /* columns of this rank; column j is c + inner*o */
  char *x;                      /* their elements, x[c + count*r], to be freed */
} gpr_dealt;

gpr_status gpr_deal_columns (gpr_dealt *d, const gpr_piece *x, size_t bytes);
/* Of each rank's results, own[c + count*k], those of all, on every rank: all[c + inner*(k + results*o)].  */
gpr_status gpr_collect_columns (const gpr_dealt *d, const void *own, int64_t results, size_t bytes, void *all);

#endif
