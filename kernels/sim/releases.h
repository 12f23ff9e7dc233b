/* Acquire and release: what one thread knows of the accesses of others.  */

#ifndef SIM_RELEASES_H
#define SIM_RELEASES_H

#include "state.h"

void learn (std::vector<knowledge> &to, const std::vector<knowledge> &from);
/* An atomic or volatile access that acquires what was released at p, releases what the thread's last fence
   covers, or both.  */
void synchronise (fiber *f, const void *p, bool acquires, bool releases);
/* Whether f knows, by an acquire, that what r records is over.  */
bool acquired (const record &r, const fiber *f);

#endif
