/* Faults that may be the effect of another: a race, or a read of what nothing has written, where a barrier
   is missing or not for all.  The block goes on to its next barrier, and then it is known.  */

#ifndef SIM_DOUBT_H
#define SIM_DOUBT_H

#include "state.h"

extern bool in_doubt;
extern const char unwritten_text[];     /* the end of what an uninitialised read is */
/* The fault as set_fault would note it; o…: the other thread's.  Within a block.  */
void begin_doubt (fault_kind kind, fiber *f, u32 pc, const std::string &what);
void begin_doubt_with (fault_kind kind, fiber *f, u32 pc, const std::string &what, u32 other_thread, u32 other_pc,
                       const std::string &other_what);
/* These four bytes are what was read unwritten; or what the race's thread, of this block, has read.  */
void watch (const cell *c, u32 mask);
void watch_reader (const cell *c, u32 mask, u32 thread, bool both_write);
/* Somebody writes to them after all.  */
void watched_write (const fiber *f, const cell *c, u32 mask, u32 pc);
/* The fault that it was; whatever came after it was an effect, but for a barrier where threads are missing.  */
void settle_doubt (void);
/* The block, with its memory in place, is again as it was at the fault.  */
void forget_since_doubt (block *b);

#endif
