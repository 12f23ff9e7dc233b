/* An array that is divided along one dimension, divided along a later one.  */

#ifndef GPR_RANKS_REDIVIDE_H
#define GPR_RANKS_REDIVIDE_H

#include "ranks.h"

typedef struct {
  size_t bytes;                 /* of an element */
  int64_t below, between, above;        /* products of the dimensions before the divided one, between the two, after the later one */
  int64_t later;                /* length of that */
  const int64_t *starts;        /* where each rank's begin along it */
} gpr_redivision;

/* to: this rank's elements, when it is done.  */
gpr_status gpr_ranks_redivide (const gpr_redivision *d, const gpr_piece *x, void *to);

#endif
