/* Joining the job that the process is of.  */

#ifndef GPR_RANKS_JOIN_H
#define GPR_RANKS_JOIN_H

#include "../core/gpr.h"
#include "../mpi/module.h"

/* Without a launcher a job of one, and *mpi is NULL.  */
gpr_status gpr_join_job (int *rank, int *size, int *local_rank, const gpr_mpi_api **mpi);

#endif
