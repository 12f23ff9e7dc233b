/* Resident blocks: their memory, and whose turn it is.  */

#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include "state.h"

/* Memory for so many resident blocks of this launch; false: there is none.  */
bool take_seats (u32 count);
void begin_block (block *b, u32 seat, u32 index);

/* __shared__ variables are the module's own: a block's contents are put there for its turn.  */
void load_block (block *b);
void store_block (block *b);

#endif
