## Copyright (C) 2026 The gpureduce developers
## SPDX-License-Identifier: GPL-3.0-or-later

## Run by two ranks (tests/ranks.sh): MPI that another package has begun is used, and left for that one to end.
addpath (getenv ("RANKS_FOLDER"), fileparts (fileparts (mfilename ("fullpath"))));
begin_mpi (true);
c = gpu_comm ();
y = gpu_sum (c.rank + 1, 2, "comm", c);
begin_mpi (false);
said = result_of (@gpu_sum, 1, 1, "comm", c);
if (c.size == 2 && y == 3 && strcmp (said, "gpu_sum: MPI has ended in this process (MPI_Finalize)"))
  fputs (stdout, sprintf ("\nrank %d is right\n", c.rank));         # at once: another rank prints too
endif
