/* Stands in for Octave's mpi package: begin_mpi (true) begins MPI in this process, begin_mpi (false) ends it; returns whether it has ended.  */

#include <mpi.h>
#include <mex.h>

void mexFunction (int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
  int ended;
  (void) nlhs;
  if (nrhs > 0 && mxGetScalar (prhs[0]) != 0)
    MPI_Init (NULL, NULL);
  else if (nrhs > 0)
    MPI_Finalize ();
  MPI_Finalized (&ended);
  plhs[0] = mxCreateLogicalScalar (ended != 0);
}
