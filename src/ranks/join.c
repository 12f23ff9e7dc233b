#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/system.h"
#include "join.h"

/* How many processes the launcher has started, as it says in the environment; 1: none says more.  */
static long
launched (const char **launcher)
{
  /* In a batch script, outside of srun, Slurm's counts are of tasks to come: a step has an id.  */
  static const struct { const char *count, *with, *name; } launchers[] = {
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "mpirun of Open MPI" }, { "PMI_SIZE", "PMI_RANK", "mpiexec" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun" }, { "SLURM_NTASKS", "SLURM_STEP_ID", "srun" } };
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
    {
      const char *count = getenv (launchers[i].count), *with = getenv (launchers[i].with);
      const long n = count && with && *with ? strtol (count, NULL, 10) : 0;
      *launcher = launchers[i].name;
      if (n > 1)
        return n;
    }
  return 1;
}

static const gpr_mpi_api *
open_module (char *why, size_t bytes)
{
  char folder[4096], path[4200] = "gpureduce_mpi.so";
  if (gpr_system_folder_of ((const void *) gpr_join_job, folder, sizeof folder))
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
  const long processes = launched (&launcher);
  const gpr_mpi_api *found = open_module (why, sizeof why);

  *mpi = NULL;
  *rank = *local_rank = 0;
  *size = 1;
  if (processes == 1 && ! (found && found->running ()))
    return GPR_OK;
  if (! found)
    return gpr_fail (GPR_UNSUPPORTED, "%s has started %ld processes, but what joins them was not built or does not load: install MPI "
                     "with its compiler mpicc, and then gpureduce again (%s)", launcher, processes, why);
  if ((wrong = found->join (rank, size, local_rank)))
    return gpr_fail (GPR_COMM_FAILED, "%s", wrong);
  if (*size == 1 && processes > 1)
    {
      gpr_fail (GPR_COMM_FAILED, "%s has started %ld processes, but %s finds one: gpureduce was built with another MPI than the "
                "launcher's, or the launcher must be told of MPI (srun --mpi=pmix)", launcher, processes, found->library ());
      found->end ();
      return GPR_COMM_FAILED;
    }
  *mpi = *size > 1 ? found : NULL;
  return GPR_OK;
}
