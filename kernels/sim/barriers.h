/* Barriers of blocks and grids, and operations of warps.  */

#ifndef SIM_BARRIERS_H
#define SIM_BARRIERS_H

#include "state.h"

/* Whether o, a lane that f's operation names, has come to the same one.  */
static inline bool meets (const fiber *f, const fiber *o)
{
  return o->state == AT_WARP && o->op == f->op && o->mask == f->mask && (f->op != OP_VOTE || o->how == f->how);
}

/* Where all lanes that f waits for have come: carries the operation out and lets them go on.  */
bool complete_warp_op (fiber *f);
/* No lane of the warp can go on, or those that can only spin: lets those go on that asked who is active.  */
bool release_active (warp *w);
/* Lets a block go on, all of whose threads wait at one barrier.  */
void release_barrier (block *b);

#endif
