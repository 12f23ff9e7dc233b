/* What a step between two barriers cost, and each access with its value.  */

#ifndef SIM_COUNTS_H
#define SIM_COUNTS_H

#include "state.h"

/* A thread's access, to be counted with those of its warp.  The thread may have to wait until its
   warp's are counted, for want of room.  */
void log_event (fiber *f, u32 pc, int kind, int space, u32 size, u64 address);
void warp_flush (block *b, warp *w);
void step_end (block *b, u32 pc, bool barrier);

/* The same for the report, where it is to have frames: value is that before the access; what a write left
   there is read when the thread goes on.  */
void frame_event (fiber *f, u32 pc, int kind, int space, u32 size, u64 address, int from, const void *value,
                  value_type type = T_U64);
void frame_finish (fiber *f);

#endif
