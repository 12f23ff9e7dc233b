/* Ranks that are threads of this process: the transport between them, by copies in host memory.

   A thread enters and is a rank to all functions of this folder (world.h) until it exits.  Nothing waits here.  */

#ifndef GPR_RANKS_THREADS_H
#define GPR_RANKS_THREADS_H

#include "world.h"

typedef struct gpr_hub gpr_hub;

gpr_status gpr_hub_open (int size, gpr_hub **h);
void gpr_hub_enter (gpr_hub *h, int rank);
void gpr_hub_exit (void);
/* For a rank that has no thread, or has ended before it entered: what others wait for fails.  Any thread.  */
void gpr_hub_stop (gpr_hub *h);
/* No thread is in it any more.  */
void gpr_hub_close (gpr_hub *h);

#endif
