/* What one instruction of a warp costs.  */

#ifndef SIM_COSTS_H
#define SIM_COSTS_H

#include "state.h"

/* The accesses of n lanes, by one instruction at one time, to the counts and to the work of their warp.  */
void count_group (counts *c, warp *in, const event **e, const int *lanes, int n);
/* A launch begins: nobody has touched any sector.  */
void forget_touches (void);

#endif
