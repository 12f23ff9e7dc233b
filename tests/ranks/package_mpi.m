## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by two ranks (tests/ranks/mpis.sh): beside Octave's mpi package, whose messages go on.  RANKS_CASE: who begins MPI and who ends it.
pkg load mpi                            # before another folder is that of packages
source (fullfile (fileparts (fileparts (fileparts (mfilename ("fullpath")))), "tools", "use_build.m"));
pkg load gpureduce
addpath (fileparts (fileparts (mfilename ("fullpath"))));

function y = swap (x)                   # with the other rank, by the package
  me = MPI_Comm_rank (MPI_COMM_WORLD ());
  if (me == 0)
    MPI_Send (x, 1, 7, MPI_COMM_WORLD ());
  endif
  y = MPI_Recv (1 - me, 7, MPI_COMM_WORLD ());
  if (me == 1)
    MPI_Send (x, 0, 7, MPI_COMM_WORLD ());
  endif
endfunction

how = getenv ("RANKS_CASE");
right = true;
if (strncmp (how, "mpi", 3))
  MPI_Init ();
  right = MPI_Comm_size (MPI_COMM_WORLD ()) == 2 && swap (5) == 5;
endif
c = gpu_comm ();
x = c.rank + (1:3);
right = right && MPI_Initialized () && c.size == 2 && c.rank == MPI_Comm_rank (MPI_COMM_WORLD ());
for k = 1:3
  right = right && gpu_sum (x, 2, "comm", c) == 15 && isequal (swap (x), 1 - c.rank + (1:3));
endfor
if (strcmp (how(end-2:end), "mpi"))
  MPI_Finalize ();
  said = result_of (@gpu_sum, 1, 1, "comm", c);
  right = right && strcmp (said, "gpu_sum: MPI has ended in this process (MPI_Finalize)");
endif
right = right && MPI_Finalized () == strcmp (how(end-2:end), "mpi");
if (right)
  fputs (stdout, sprintf ("\nrank %d is right\n", c.rank));
endif
