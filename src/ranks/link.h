/* The link of all ranks' devices (../core/links.h): made at the first call that has many bytes for it, and kept.  */

#ifndef GPR_RANKS_LINK_H
#define GPR_RANKS_LINK_H

#include "../core/links.h"
#include "world.h"

/* What GPUREDUCE_NCCL_BYTES says; 0: nothing.  The same on all ranks: agree.c compares.  */
gpr_status gpr_link_said_least (int64_t *bytes);
/* Bytes of a message from which on it goes by the link: an estimate, if nothing is said.  */
int64_t gpr_link_least (void);
/* Of this call: a hash of the devices that all ranks' pieces lie on, the same on all; 0: some lie on none, so that nobody need ask for a link.  */
void gpr_link_between (uint64_t devices);
/* Whether a call with so many bytes for it shall ask for the link: the first ones do not, since making it takes a second or so; nor do those for whose devices
   there is none.  The same on all ranks.  */
bool gpr_link_pays (int64_t bytes);

/* All ranks say whether each can take part, with the device that memory lies on (by: its backend's; or NULL), and if all can have a link that rests; *found: they do.
   Where it cannot be made none has one, which is no error.  */
gpr_status gpr_link_find (const struct gpr_links *by, const void *memory, bool can, bool *found);
/* Of that link.  */
gpr_status gpr_link_copy (void *to, const void *from, size_t bytes);
/* Each on its way, and there; or a failure that all ranks come to, after which gpr_link_stop is to be called.  */
gpr_status gpr_link_move (const gpr_move *moves, int count);
/* A call fails: nothing is under way any more, and each move fails.  */
void gpr_link_stop (void);
/* How many ranks are linked; 0: none are, or the link has failed.  */
int gpr_link_size (void);
const char *gpr_link_why (void);        /* none are, though there was or should have been a link; "" */

#endif
