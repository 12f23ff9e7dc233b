/* The instructions of a step: accesses of all threads lined up as a warp makes them.  */

#ifndef SIM_SLOTS_H
#define SIM_SLOTS_H

#include "state.h"

/* Numbers the instructions of a step from 0 in an order that agrees with every thread's, where there is
   one: accesses of the same place in the code, the same time in their threads, have the same slot.  */
void find_slots (std::vector<frame_access> &accesses);

#endif
