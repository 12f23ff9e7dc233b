/* Why nothing goes on: threads that wait for others that never come, deadlocks.  */

#ifndef SIM_STUCK_H
#define SIM_STUCK_H

#include "state.h"

u32 where_it_is (const fiber *f);
bool same_location (const fiber *a, const fiber *b);    /* whether they wait at one line */
/* No thread of the block can run, and they are not all at one barrier: the fault says which lane or thread
   is missing.  */
void diagnose (block *b);
/* No block can go on: the fault lists who waits where.  */
void deadlock (const std::vector<block *> &seated, const char *what);

#endif
