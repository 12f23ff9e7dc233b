#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/system.h"
#include "join.h"

/* How many processes the launcher has started, as it says in the environment; 1: none says more.  Where no count is said, but a rank is, as many as
   that takes; 0: it is the first, so MPI is to be asked.  */
static long
launched (const char **launcher)
{
  /* In a batch script, outside of srun, Slurm's counts are of tasks to come: a step has an id.  In an interactive step SLURM_NTASKS is the job's.  */
  static const struct { const char *count, *with, *without, *name; } launchers[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", NULL, "mpirun of Open MPI" }, { "PMI_SIZE", "PMI_RANK", NULL, "mpiexec" },
    { "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK", NULL, "mpirun of MVAPICH" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", NULL, "srun" }, { "SLURM_NTASKS", "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS", "srun" } };
  static const struct { const char *rank, *name; } others[] = {
    { "PMI_RANK", "what sets PMI_RANK" }, { "PMIX_RANK", "what sets PMIX_RANK" }, { "PALS_RANKID", "what sets PALS_RANKID" } };
  bool counted = false;
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
      const char *count = getenv (launchers[i].count), *with = getenv (launchers[i].with);
      const long n = count && with && *with && ! (launchers[i].without && getenv (launchers[i].without)) ? strtol (count, NULL, 10) : 0;
      *launcher = launchers[i].name;
      if (n > 1)
        return n;
      counted |= n == 1;
    }
  for (size_t i = 0; i < sizeof others / sizeof *others && ! counted; i++)
    {
      const char *rank = getenv (others[i].rank);
      const long r = rank && *rank ? strtol (rank, NULL, 10) : -1;
      *launcher = others[i].name;
      if (r >= 0 && r < INT_MAX)        /* PMIx has numbers beyond for any rank and for none */
        return r > 0 ? r + 1 : 0;
    }
  return 1;
}

static const gpr_mpi_api *
open_module (char *why, size_t bytes)
{
  char folder[4096], path[4200] = "gpureduce_mpi.so";
  const char *elsewhere = getenv ("GPUREDUCE_MPI_MODULE");
  if (elsewhere && *elsewhere)
    snprintf (path, sizeof path, "%s", elsewhere);
  else if (gpr_system_folder_of ((const void *) gpr_join_job, folder, sizeof folder))
    snprintf (path, sizeof path, "%s/gpureduce_mpi.so", folder);
  void *module = gpr_system_open (path, why, bytes);
  const gpr_mpi_api *(*entry) (void) = module ? (const gpr_mpi_api *(*) (void)) gpr_system_symbol (module, "gpr_mpi_module") : NULL;
  const gpr_mpi_api *found = entry ? entry () : NULL;
  if (module && (! found || found->abi != GPR_MPI_ABI || strcmp (found->version, GPR_VERSION) != 0))
    {
      snprintf (why, bytes, "%.200s is of another version of gpureduce", path);
      return NULL;
    }
  return found;
}

gpr_status
gpr_join_job (int *rank, int *size, int *local_rank, const gpr_mpi_api **mpi)
{
  const char *launcher, *wrong;
  char why[512] = "";
  gpr_status status = GPR_OK;
  const long processes = launched (&launcher);
  const gpr_mpi_api *found = open_module (why, sizeof why);

  *mpi = NULL;
  *rank = *local_rank = 0;
  *size = 1;
  if (processes <= 1 && ! (found && (processes == 0 || found->running ())))
    return GPR_OK;
  if (! found)
    return gpr_fail (GPR_UNSUPPORTED, "%s has started %ld processes, but what joins them was not built or does not load: install MPI "
                     "with its compiler mpicc, and then gpureduce again (%s)", launcher, processes, why);
  if ((wrong = found->join (rank, size, local_rank)))
    return gpr_fail (GPR_COMM_FAILED, "%s", wrong);
  if (*size > 1)
    *mpi = found;
  else if (processes > 1)
    status = gpr_fail (GPR_COMM_FAILED, "%s has started %ld processes, but %s finds one: gpureduce was built with another MPI than the launcher's "
                       "(install it again with that one's mpicc), or the launcher must be told of MPI (srun --mpi=pmix)", launcher, processes, found->library ());
  if (! *mpi)
    found->end ();              /* nobody else would */
  return status;
}
