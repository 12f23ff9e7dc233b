/* Joining the job that the process is of.  */

#ifndef GPR_RANKS_JOIN_H
#define GPR_RANKS_JOIN_H

#include "../mpi/module.h"
#include "world.h"

/* Without a launcher a world of one, and *mpi is NULL.  */
gpr_status gpr_join_job (gpr_world *w, const gpr_mpi_api **mpi);

#endif
