/* gpureduce_mpi.so: MPI behind the interface of module.h.  */

#define _GNU_SOURCE             /* dladdr */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core/gpr.h"
#include "module.h"

static MPI_Comm ours = MPI_COMM_NULL;
static bool begun_here;
static char last_error[MPI_MAX_ERROR_STRING] = "";

static bool
has (int (*ask) (int *))
{
  int flag = 0;
  ask (&flag);
  return flag != 0;
}

static bool
ended (void)
{
  return has (MPI_Finalized);
}

static bool
running (void)
{
  return has (MPI_Initialized) && ! ended ();
}

static const char *
library (void)
{
  static char text[MPI_MAX_LIBRARY_VERSION_STRING + 8192];      /* of another MPI, too */
  int length;
  MPI_Get_library_version (text, &length);
  text[strcspn (text, "\n,")] = '\0';
  for (char *tab = text; (tab = strchr (tab, '\t')); )
    *tab = ' ';
  return text;
}

/* Octave opens what packages bring for the whole process, so their MPI takes the calls from the one that we were compiled for; Open MPI's
   handles are addresses, others' are numbers.  PMPI_, since a profiler may have the other names.  */
static bool
another (void)
{
  Dl_info where;
  void *file = dladdr ((const void *) PMPI_Comm_dup, &where) ? dlopen (where.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  const bool addresses = file && dlsym (file, "ompi_mpi_comm_world");
  if (! file)
    return false;
  dlclose (file);
#ifdef OPEN_MPI
  return ! addresses;
#else
  return addresses;
#endif
}

static const char *
join (int *rank, int *size, int *local_rank)
{
  int level;
  MPI_Comm node;

  if (another ())
    {
      static char text[512];
      snprintf (text, sizeof text, "this process has another MPI (%.300s) than the one that gpureduce was compiled for: install gpureduce again "
                "with its mpicc (GPUREDUCE_MPICC)", library ());
      return text;
    }
  if (ended ())
    return "MPI has ended in this process (MPI_Finalize), and cannot begin again";
  if (! running ())
    {
      if (MPI_Init_thread (NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return "MPI_Init_thread failed";
      begun_here = true;
    }
  if (MPI_Comm_dup (MPI_COMM_WORLD, &ours) != MPI_SUCCESS
      || MPI_Comm_split_type (ours, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
    return "MPI makes no communicator";
  MPI_Comm_set_errhandler (ours, MPI_ERRORS_RETURN);
  MPI_Comm_rank (ours, rank);
  MPI_Comm_size (ours, size);
  MPI_Comm_rank (node, local_rank);
  MPI_Comm_free (&node);
  return NULL;
}

static const char *
wrong (void)
{
  return last_error;
}

static int
noted (int code)
{
  int length;
  if (code != MPI_SUCCESS)
    MPI_Error_string (code, last_error, &length);
  return code;
}

static void *
begun (MPI_Request *r, int code)
{
  if (noted (code) == MPI_SUCCESS)
    return r;
  free (r);
  return NULL;
}

static void *
send (int to, int tag, const void *p, size_t bytes)
{
  MPI_Request *r = malloc (sizeof *r);
  return r ? begun (r, MPI_Isend (p, (int) bytes, MPI_BYTE, to, tag, ours, r)) : NULL;
}

static void *
receive (int from, int tag, void *p, size_t bytes)
{
  MPI_Request *r = malloc (sizeof *r);
  return r ? begun (r, MPI_Irecv (p, (int) bytes, MPI_BYTE, from, tag, ours, r)) : NULL;
}

static int
done (void *transfer)
{
  int flag = 0;
  const int code = noted (MPI_Test (transfer, &flag, MPI_STATUS_IGNORE));
  if (code == MPI_SUCCESS && ! flag)
    return 0;
  free (transfer);
  return code == MPI_SUCCESS ? 1 : -1;
}

static void
cancel (void *transfer)
{
  MPI_Cancel (transfer);
}

static bool
arrived (int tag, int *from)
{
  int flag = 0;
  MPI_Status s;
  if (MPI_Iprobe (MPI_ANY_SOURCE, tag, ours, &flag, &s) != MPI_SUCCESS || ! flag)
    return false;
  *from = s.MPI_SOURCE;
  return true;
}

static void
end (void)
{
  if (begun_here && running ())
    MPI_Finalize ();
}

__attribute__ ((visibility ("default"))) const gpr_mpi_api *
gpr_mpi_module (void)
{
  static const gpr_mpi_api api = { GPR_MPI_ABI, GPR_VERSION, library, running, ended, join, send, receive, done, cancel, arrived, wrong, end };
  return &api;
}
